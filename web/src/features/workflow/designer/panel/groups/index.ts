import type { ComponentType } from "react";
import type { Scope } from "../kit/scope";
import { BaseProps } from "./BaseProps";

/** A section of the panel; its title is the text group.<key>. */
export interface Group {
  key: string;
  shows: (scope: Scope) => boolean;
  Body: ComponentType;
}

/** The sections from top to bottom. */
export const groups: readonly Group[] = [{ key: "base", shows: () => true, Body: BaseProps }];
