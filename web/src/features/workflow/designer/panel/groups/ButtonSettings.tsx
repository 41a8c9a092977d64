import { Checkbox, Flex, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { apply, makeVendor } from "../kit/change";
import { addExtension, extensions, removeExtension } from "../kit/extensions";
import { differing } from "../kit/rows";
import { text, useScope } from "../kit/scope";
import type { ModdleElement } from "../kit/wire";

/** The acts by the numbers that diagrams give them. */
const acts = ["1", "2", "3", "4", "5", "6", "7"];

/** Which acts a decider is offered, and what they are called. */
export function ButtonSettings() {
  const scope = useScope();
  const present = extensions(scope, scope.bo, "ButtonsSetting");
  return acts.map((id) => (
    <ButtonRow key={id} id={id} setting={present.find((one) => text(one, "id") === id)} />
  ));
}

function ButtonRow({ id, setting }: { id: string; setting: ModdleElement | undefined }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const act = t(`approval.button.${id}`);
  const name = text(setting, "displayName");
  const enabled = !setting || text(setting, "enable") === "" || text(setting, "enable") === "true";
  const [draft, setDraft] = useState(name);
  const [seen, setSeen] = useState(name);
  if (seen !== name) {
    setSeen(name);
    setDraft(name);
  }
  const write = (displayName: string, enable: boolean) => {
    const props = { id, displayName: displayName || undefined, enable: String(enable) };
    if (displayName === "" && enable && setting) apply(scope, removeExtension(scope, scope.bo, setting));
    else if (setting) apply(scope, differing(setting, props));
    else apply(scope, addExtension(scope, scope.bo, makeVendor(scope, "ButtonsSetting", props)));
  };
  return (
    <Flex gap={8} align="center" className="panel-line">
      <Checkbox checked={enabled} onChange={(event) => write(name, event.target.checked)}>
        {act}
      </Checkbox>
      <Input
        aria-label={t("approval.buttonName", { name: act })}
        placeholder={act}
        disabled={!enabled}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => (draft.trim() === name ? undefined : write(draft.trim(), enabled))}
        onPressEnter={() => (draft.trim() === name ? undefined : write(draft.trim(), enabled))}
      />
    </Flex>
  );
}
