"""Check of the content that YAML readers find in a description."""


def check_of(content: dict) -> float:
    """Returns the number of arrays plus that of their values, which are in lists that do not nest."""
    groups = [content, *(group for key, group in content.items() if key.startswith("/"))]
    arrays = [array for group in groups for array in group.get("ndarrays", {}).values()]
    return float(len(arrays) + sum(len(array.get("value", ())) for array in arrays))
