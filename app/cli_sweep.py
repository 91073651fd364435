"""``sweep``: a parameter study of a scenario, on all cores or on a cluster."""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from app.calibrated import shipped_calibration
from app.cli_file import given, refusing
from db.atomic import check_writable
from db.codec import read_scenario, scenario_to_json
from db.door import check_ordinary, content
from db.errors import MachineProblem, StoreError
from db.explain import explaining
from db.price_book import read_price_book
from models.base.errors import ModelError
from models.base.lettering import visible
from models.base.rounding import rounded
from models.base.spreadsheets import inert
from models.base.texts import say
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.prices.book import PriceBook
from models.studies.parameter_study import ParameterStudy, Varied, check_study, rows
from resources.catalog_files import load_catalog

CHUNK = 200
MAX_BYTES = 4 * 2**20
MOST_STEPS = 100_000
CSV, PARQUET = ".csv", ".parquet"


class _Input(Struct, forbid_unknown_fields=True, kw_only=True):
    path: Annotated[str, Meta(min_length=1, max_length=200)]
    values: tuple[float | str | bool | None, ...] | None = None
    low: float | None = msgspec.field(default=None, name="from")
    high: float | None = msgspec.field(default=None, name="to")
    steps: Annotated[int, Meta(ge=2, le=MOST_STEPS)] | None = None
    factor: bool = False


class _Spec(Struct, forbid_unknown_fields=True, kw_only=True):
    format: Literal["headroom-sweep"]
    version: Literal[1]
    scenario: str
    name: str | None = None
    prices: str | None = None
    inputs: tuple[_Input, ...]
    outputs: tuple[str, ...]


def sweep_to_file(
    spec: str,
    output: str,
    *,
    workers: int | None = None,
    dask: str = "",
    resume: bool = False,
    progress: Any = lambda done, whole: None,
) -> int:
    """Works out the study of a file and writes its rows; returns how many.

    Rows are written as they come, to a file beside `output`, which takes its place at the end: a
    study that was broken off can be taken up again.

    Raises:
        StoreError: the file is no study, names what there isn't, or the rows can't be written.
    """
    ending = Path(output).suffix.lower()
    if ending not in (CSV, PARQUET):
        raise StoreError(say("must end in {endings}", endings=f"{CSV}, {PARQUET}"), output)
    parquet = _parquet(output) if ending == PARQUET else None
    check_writable(output)
    study, catalog = read_study(spec)
    part = Path(f"{output}.part")
    check_ordinary(part)
    done = _done(part, study) if resume else 0
    mode = "a" if done else "w"
    try:
        with part.open(mode, encoding="utf-8", newline="") as stream, _pool(workers, dask) as pool:
            writer = csv.writer(stream)
            if not done:
                writer.writerow(_inert(study.heads))
            for chunk in _worked_out(pool, study, catalog, done):
                writer.writerows(map(_inert, chunk))
                stream.flush()
                done += len(chunk)
                progress(done, len(study))
        if parquet is not None:
            parquet.write(part, output)
            part.unlink()
        else:
            part.replace(output)
    except OSError as error:
        raise MachineProblem(
            say("can’t be written: {reason}", reason=error.strerror or ""), output
        ) from error
    finally:
        if not done:  # there is nothing to go on from
            with suppress(OSError):
                part.unlink()
    return done


def read_study(path: str) -> tuple[ParameterStudy, Catalog]:
    """The study of a file, checked, with the catalog of its scenario.

    Raises:
        StoreError: it is none; names the field where it isn't.
    """
    data = content(path, MAX_BYTES, say("is too large for a study"))
    with explaining(data, path):
        spec = msgspec.json.decode(data, type=_Spec)
        inputs = tuple(_varied(each, place) for place, each in enumerate(spec.inputs))
    beside = Path(path).parent / spec.scenario
    of = given(str(beside), spec.name)
    book = None
    if spec.prices is not None:
        book = read_price_book(Path(path).parent / spec.prices)
    study = ParameterStudy(of.scenario, inputs, spec.outputs, book)
    with refusing(path):
        check_study(study)
    return study, of.catalog


def _varied(given: _Input, place: int) -> Varied:
    if given.values is not None:
        return Varied(given.path, given.values, given.factor)
    if given.low is None or given.high is None or given.steps is None:
        raise ModelError(say("needs values, or from, to and steps"), field=f"inputs[{place}]")
    span = (given.high - given.low) / (given.steps - 1)
    steps = (rounded(given.low + span * step) for step in range(given.steps - 1))
    values = (*steps, given.high)
    return Varied(given.path, values, given.factor)


# --- work ---------------------------------------------------------------------------------------


@contextmanager
def _pool(workers: int | None, dask: str) -> Iterator[Executor | None]:
    """Where chunks are worked out; None: here."""
    if dask:
        try:
            from distributed import Client
        except ImportError:
            raise StoreError(
                say("needs the package distributed, which is not installed"), "--dask"
            ) from None
        with Client(dask) as client:
            yield client.get_executor()
    elif workers == 1:
        yield None
    else:
        with ProcessPoolExecutor(workers, initializer=_end_with_the_study) as pool:
            yield pool


def _end_with_the_study() -> None:
    """A worker whose study was killed would wait for its next chunk for ever."""
    study = multiprocessing.parent_process()
    if study is not None:
        Thread(target=_outlive, args=(study,), daemon=True).start()


def _outlive(study: BaseProcess) -> None:
    study.join()
    os._exit(1)


def _worked_out(
    pool: Executor | None, study: ParameterStudy, catalog: Catalog, done: int
) -> Iterator[list[tuple[Any, ...]]]:
    """The rows in their order, chunk by chunk."""
    packed = _Packed(
        scenario=scenario_to_json(study.scenario, catalog),
        inputs=study.inputs,
        outputs=study.outputs,
        book=study.book,
    )
    starts = range(done, len(study), CHUNK)
    if pool is None:
        for start in starts:
            yield chunk_of(packed, start)
        return
    waiting: list[Any] = []
    try:
        for start in starts:
            waiting.append(pool.submit(chunk_of, packed, start))
            if len(waiting) >= 64:
                yield waiting.pop(0).result()
        while waiting:
            yield waiting.pop(0).result()
    finally:
        for each in waiting:
            each.cancel()


@dataclass(frozen=True, slots=True)
class _Packed:
    """A study on its way to a worker: the scenario as its file, own hardware within."""

    scenario: bytes
    inputs: tuple[Varied, ...]
    outputs: tuple[str, ...]
    book: PriceBook | None = None


def chunk_of(packed: _Packed, start: int) -> list[tuple[Any, ...]]:
    """The rows from `start` on, at most `CHUNK` of them: what a worker does."""
    study, catalog = _unpacked(packed)
    numbers = range(start, min(start + CHUNK, len(study)))
    return list(rows(study, Knowledge(catalog, shipped_calibration()), numbers))


@lru_cache(maxsize=2)
def _unpacked(packed: _Packed) -> tuple[ParameterStudy, Catalog]:
    scenario, own = read_scenario(packed.scenario, name="study")
    catalog = load_catalog().merged(own)
    return ParameterStudy(scenario, packed.inputs, packed.outputs, packed.book), catalog


# --- files --------------------------------------------------------------------------------------


def _done(part: Path, study: ParameterStudy) -> int:
    """Whole rows of a study that was broken off; a torn last one is taken away."""
    with suppress(OSError):
        text = part.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        lines = list(csv.reader(io.StringIO(whole.decode("utf-8"))))
        if lines and tuple(lines[0]) == _inert(study.heads):
            part.write_bytes(whole)
            return len(lines) - 1
        if lines:
            raise StoreError(say("holds rows of another study"), part)
    return 0


def _inert(row: Sequence[Any]) -> tuple[Any, ...]:
    """A row as cells that no spreadsheet executes; what hides in a text is written out."""
    return tuple(visible(inert(each)) if isinstance(each, str) else each for each in row)


class _Parquet:
    """Rows as Parquet, by pyarrow, which is not part of the program."""

    def __init__(self, csv_module: Any, parquet_module: Any) -> None:
        self._csv, self._parquet = csv_module, parquet_module

    def write(self, part: Path, output: str) -> None:
        self._parquet.write_table(self._csv.read_csv(part), output)


def _parquet(output: str) -> _Parquet:
    try:
        from pyarrow import csv as arrow_csv
        from pyarrow import parquet as arrow_parquet
    except ImportError:
        raise StoreError(
            say("Parquet needs the package pyarrow, which is not installed: write CSV"), output
        ) from None
    return _Parquet(arrow_csv, arrow_parquet)
