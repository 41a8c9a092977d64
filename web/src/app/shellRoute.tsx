import { Shell } from "@/layout";
import { pages } from "./pages";

export function Component() {
  return <Shell pages={pages} />;
}
