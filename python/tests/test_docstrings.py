"""The examples in docstrings, with the program; and that everything public has a docstring."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import selfplay

NAMES = sorted(m.name for m in pkgutil.iter_modules(selfplay.__path__) if m.name != "__main__")


def module_of(name):
    try:
        return importlib.import_module(f"selfplay.{name}")
    except ModuleNotFoundError as err:  # of a module that needs another package
        if not err.name or err.name.startswith("selfplay"):
            raise
        pytest.skip(f"no {err.name}")


@pytest.mark.parametrize("name", NAMES)
def test_examples(program, monkeypatch, name):
    monkeypatch.setenv("RULES_PROGRAM", program)
    assert doctest.testmod(module_of(name), extraglobs={"selfplay": selfplay}).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_everything_public_has_a_docstring(name):
    module = module_of(name)
    assert module.__doc__
    for what in vars(module).values():
        if getattr(what, "__module__", "") != module.__name__ or what.__name__.startswith("_"):
            continue
        members = [m for m in vars(what).values() if inspect.isfunction(m) or isinstance(m, property)] if inspect.isclass(what) else []
        for one in [what, *members]:
            one_name = one.fget.__name__ if isinstance(one, property) else one.__name__
            assert one_name.startswith("_") or inspect.getdoc(one), f"{name}: {what.__name__}: {one_name} has no docstring"
