import { useSearchParams } from "react-router";

/** The choices of the page; they live in the address, so that a figure can be passed on. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const read = (name: string) => search.get(name) ?? "";
  const filters = {
    processDefinitionKey: read("processDefinitionKey") || undefined,
    from: read("from") || undefined,
    to: read("to") || undefined,
  };
  const change = (part: Record<string, string>) =>
    setSearch(
      (present) => {
        const next = new URLSearchParams(present);
        for (const [name, value] of Object.entries(part)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return { filters, change };
}
