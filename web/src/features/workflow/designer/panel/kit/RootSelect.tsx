import { PlusOutlined } from "@ant-design/icons";
import { Button, Form, Select, Space } from "antd";
import { useId, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { set } from "./change";
import { RootDialog } from "./RootDialog";
import { type RootKind, refOf, rootsOf } from "./roots";
import { child, text, useScope } from "./scope";
import type { ModdleElement } from "./wire";

/** The choice that takes the reference away. */
const NONE = "-1";

interface Props {
  kind: RootKind;
  /** The element or event definition that refers. */
  of: ModdleElement;
}

/** Binds a message, signal, error or escalation of the file, or a new one. */
export function RootSelect({ kind, of }: Props) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const id = useId();
  const [adding, setAdding] = useState(false);
  const ref = refOf(kind);
  const roots = rootsOf(scope, kind);
  // Engines take a plain code for a reference; it survives as a text.
  const foreign = of.$attrs?.[ref];
  const chosen = child(of, ref);
  const options = [
    { value: NONE, label: foreign ? t("root.foreign", { code: foreign }) : t("root.none") },
    ...roots.map((root, at) => ({
      value: String(at),
      label: [text(root, "name"), text(root, "id")].filter(Boolean).join(" · "),
    })),
  ];
  const choose = (value: string) =>
    set(scope, of, { [ref]: value === NONE ? undefined : roots[Number(value)] });
  return (
    <Form.Item label={t(`root.${kind}`)} htmlFor={id}>
      <Space.Compact block>
        <Select
          id={id}
          value={chosen ? String(roots.indexOf(chosen)) : NONE}
          onChange={choose}
          options={options}
        />
        <Button
          icon={<PlusOutlined aria-hidden />}
          aria-label={t(`root.add.${kind}`)}
          title={t(`root.add.${kind}`)}
          onClick={() => setAdding(true)}
        />
      </Space.Compact>
      {adding ? (
        <RootDialog
          kind={kind}
          then={(root) => [{ target: of, props: { [ref]: root } }]}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </Form.Item>
  );
}
