import { Select } from "antd";
import { lazy, Suspense } from "react";
import type { ParentProps } from "./ParentTree";

const ParentTree = lazy(() => import("./ParentTree").then((part) => ({ default: part.ParentTree })));

/** Chooses the parent of a row in a tree; 0 is the top. */
export function ParentSelect(props: ParentProps) {
  return (
    <Suspense fallback={<Select id={props.id} loading disabled style={{ width: "100%" }} />}>
      <ParentTree {...props} />
    </Suspense>
  );
}
