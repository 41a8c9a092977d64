import { useRef } from "react";
import { randomId } from "@/kernel/rules";

/**
 * The idempotency key of an act: the same content sent again carries the same key, so that a
 * repeated press or a lost answer changes nothing twice. `done` begins a new act.
 */
export function useOnce(): { keyOf: (content: unknown) => string; done: () => void } {
  const sent = useRef({ content: "", key: "" });
  return {
    keyOf: (content) => {
      const text = JSON.stringify(content);
      if (sent.current.content !== text) sent.current = { content: text, key: randomId(32) };
      return sent.current.key;
    },
    done: () => {
      sent.current = { content: "", key: "" };
    },
  };
}
