"""Querysets whose SQL is built once: building it costs Django several times what the database takes to answer.

For what every search asks by ids. A queryset is compiled once for each number of ids (rounded up, the last one
repeated) and each set of other facts; then only the ids are put in. Kept by thread, as connections are.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connections, models
from django.db.models import query as of_django
from django.db.models.query import ModelIterable, ValuesListIterable

MARK = -(2**40)  # stands for the first id in what is compiled: no id is negative
LARGEST = 256  # ids; for more the SQL is built each time
SHAPES = 16  # kept of each queryset in each thread: sizes, days


@dataclass(frozen=True, slots=True)
class _Shape:
    """A compiled queryset."""

    connection: Any
    sql: str
    parameters: tuple[Any, ...]
    places: tuple[tuple[int, int], ...]  # of the ids: (parameter, which id)
    columns: int
    converters: tuple[tuple[int, tuple[Callable[..., Any], ...], Any], ...]
    make: Callable[[Any], Any]

    def rows(self, ids: Sequence[int]) -> list[Any]:
        parameters, last = list(self.parameters), len(ids) - 1
        for place, which in self.places:
            parameters[place] = ids[min(which, last)]
        with self.connection.cursor() as cursor:
            cursor.execute(self.sql, parameters)
            found = cursor.fetchall()
        return [self.make(self._converted(row)) for row in found]

    def _converted(self, row: Sequence[Any]) -> tuple[Any, ...]:
        values = list(row[: self.columns])
        for place, converters, expression in self.converters:
            for convert in converters:
                values[place] = convert(values[place], expression, self.connection)
        return tuple(values)


class Prepared:
    """What the queryset `build(ids, *facts)` finds: instances (also with `select_related`), or rows of `values_list`.

    No annotations, slices or prefetching: raise TypeError.
    """

    def __init__(self, build: Callable[..., models.QuerySet[Any, Any]]) -> None:
        self._build = build
        self._kept = threading.local()

    def __call__(self, ids: Iterable[int], *facts: Hashable) -> list[Any]:
        """Return what is found, in the order of the queryset; nothing for no ids, without a query."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return []
        if len(wanted) > LARGEST:
            return list(self._build(wanted, *facts))
        return self._shape(1 << (len(wanted) - 1).bit_length(), facts).rows(wanted)

    def all(self, *facts: Hashable) -> list[Any]:
        """Return what is found by a queryset that depends on no ids."""
        return self._shape(0, facts).rows(())

    def _shape(self, size: int, facts: tuple[Hashable, ...]) -> _Shape:
        kept: OrderedDict[Hashable, _Shape] = self._kept.__dict__.setdefault("shapes", OrderedDict())
        shape = kept.get((size, facts))
        if shape is None or shape.connection is not connections[shape.connection.alias]:
            shape = kept[size, facts] = _compiled(self._build([MARK - at for at in range(size)], *facts), size)
            if len(kept) > SHAPES:
                kept.popitem(last=False)
        kept.move_to_end((size, facts))
        return shape


def put_prefetched(one: models.Model, name: str, rows: models.QuerySet[Any, Any], found: list[Any]) -> None:
    """Put what was found to where Django's own prefetching puts it: `one.name.all()` asks nothing; `rows` is empty."""
    kept: Any = rows
    kept._result_cache, kept._prefetch_done = found, True
    one.__dict__["_prefetched_objects_cache"] = {name: kept}


def _compiled(queryset: Any, size: int) -> _Shape:
    compiler = queryset.query.get_compiler(using=queryset.db)
    sql, parameters = compiler.as_sql()
    if queryset._prefetch_related_lookups or queryset.query.is_sliced or queryset.query.annotations:
        raise TypeError("annotations, slices and prefetching are not prepared")
    found = compiler.get_converters([column for column, _sql, _alias in compiler.select])
    return _Shape(
        connection=compiler.connection,
        sql=sql,
        parameters=tuple(parameters),
        places=tuple(
            (place, MARK - value)
            for place, value in enumerate(parameters)
            if isinstance(value, int) and MARK - size < value <= MARK
        ),
        columns=len(compiler.select),
        converters=tuple((place, tuple(converters), column) for place, (converters, column) in found.items()),
        make=_maker(queryset, compiler),
    )


def _maker(queryset: Any, compiler: Any) -> Callable[[Any], Any]:
    """Return what makes of a row what the queryset would (see `ModelIterable`)."""
    if queryset._iterable_class is ValuesListIterable:
        return lambda row: row
    if queryset._iterable_class is not ModelIterable:
        raise TypeError(f"{queryset._iterable_class.__name__} is not prepared")
    info, database, of_related = compiler.klass_info, queryset.db, vars(of_django)["get_related_populators"]
    first, end = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column[0].target.attname for column in compiler.select[first:end]]
    populators = of_related(info, compiler.select, database)

    def made(row: Any) -> Any:
        one = info["model"].from_db(database, names, row[first:end])
        for populator in populators:
            populator.populate(row, one)
        return one

    return made
