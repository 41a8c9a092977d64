import { createReviver } from "bpmn-js-native-copy-paste/lib/PasteUtil";
import type { Services } from "./services";

const KEY = "bpmn-clipboard";

/**
 * What was copied, for all designers of this browser. It is kept as text, because the elements of
 * one designer mean nothing to another, and not on the system's clipboard, which asks for leave and
 * does not exist without https.
 */
class SharedClipboard {
  static $inject = ["moddle"];
  private readonly moddle: Services["moddle"];
  /** For browsers without room. */
  private text = "";

  constructor(moddle: Services["moddle"]) {
    this.moddle = moddle;
  }

  get(): unknown {
    const text = localStorage.getItem(KEY) || this.text;
    return text ? JSON.parse(text, createReviver(this.moddle)) : undefined;
  }

  set(tree: unknown): void {
    this.text = JSON.stringify(tree);
    try {
      localStorage.setItem(KEY, this.text);
    } catch {
      localStorage.removeItem(KEY);
    }
  }

  clear(): unknown {
    const tree = this.get();
    this.text = "";
    localStorage.removeItem(KEY);
    return tree;
  }

  isEmpty(): boolean {
    return !localStorage.getItem(KEY) && !this.text;
  }
}

/** Takes the place of the drawing kit's own clipboard. */
export const clipboardModule = { clipboard: ["type", SharedClipboard] };
