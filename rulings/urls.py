"""Addresses of the site."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("rulings.api.urls")),
    path("", include("rulings.web.urls")),
]
