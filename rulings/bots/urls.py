"""Addresses that chat services call."""

from django.urls import URLPattern, path

from rulings.bots import discord, line

urlpatterns: list[URLPattern] = [
    path("discord/", discord.interactions, name="bot-discord"),
    path("line/", line.webhook, name="bot-line"),
]
