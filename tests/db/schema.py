"""As much of JSON Schema 2020-12 as the scenario file's schema uses, to hold the two together."""

from __future__ import annotations

import re
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
}
KNOWN = {
    *("$schema", "$comment", "$defs", "$ref", "title", "description", "default"),
    *("type", "enum", "anyOf", "discriminator", "required", "properties", "additionalProperties"),
    *("propertyNames", "items", "uniqueItems", "minItems", "minLength", "maxLength", "pattern"),
    *("minimum", "exclusiveMinimum", "maximum"),
}


class Schema:
    """A schema that values can be held to."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._root = schema

    def accepts(self, value: object, schema: dict[str, Any] | None = None) -> bool:
        schema = self._root if schema is None else schema
        assert set(schema) <= KNOWN, f"the schema uses {set(schema) - KNOWN}"
        if "$ref" in schema and not self.accepts(value, self._definition(schema["$ref"])):
            return False
        if "anyOf" in schema and not any(self.accepts(value, each) for each in schema["anyOf"]):
            return False
        if "enum" in schema and not any(same(value, each) for each in schema["enum"]):
            return False
        if "type" in schema and not is_of(value, schema["type"]):
            return False
        if isinstance(value, dict):
            return self._accepts_object(value, schema)
        if isinstance(value, list):
            return self._accepts_list(value, schema)
        if isinstance(value, str):
            return _accepts_text(value, schema)
        return value is None or isinstance(value, bool) or _accepts_number(value, schema)

    def _definition(self, reference: str) -> dict[str, Any]:
        definition: dict[str, Any] = self._root["$defs"][reference.removeprefix("#/$defs/")]
        return definition

    def _accepts_object(self, value: dict[str, Any], schema: dict[str, Any]) -> bool:
        properties = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        names = schema.get("propertyNames", {})
        if any(name not in value for name in schema.get("required", ())):
            return False
        for name, each in value.items():
            if not self.accepts(name, names):
                return False
            inner = properties.get(name, others)
            if inner is False or (isinstance(inner, dict) and not self.accepts(each, inner)):
                return False
        return True

    def _accepts_list(self, value: list[Any], schema: dict[str, Any]) -> bool:
        if len(value) < schema.get("minItems", 0):
            return False
        if schema.get("uniqueItems") and len({repr(each) for each in value}) < len(value):
            return False
        return all(self.accepts(each, schema.get("items", {})) for each in value)


def same(one: object, other: object) -> bool:
    """Equal as JSON: 1 is 1.0, but true is not 1."""
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def is_of(value: object, kind: str) -> bool:
    if kind in _TYPES:
        return isinstance(value, _TYPES[kind])
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and (kind == "number" or float(value).is_integer())  # type: ignore[arg-type]


def _accepts_text(value: str, schema: dict[str, Any]) -> bool:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        return False
    pattern = schema.get("pattern")
    # "$" means the end in JSON Schema, in Python also before a line break there.
    return pattern is None or re.search(pattern.replace("$", r"\Z"), value) is not None


def _accepts_number(value: Any, schema: dict[str, Any]) -> bool:
    return not (
        value < schema.get("minimum", value)
        or value > schema.get("maximum", value)
        or value <= schema.get("exclusiveMinimum", value - 1)
    )
