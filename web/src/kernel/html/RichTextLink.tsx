import { LinkOutlined } from "@ant-design/icons";
import { type Editor, useEditorState } from "@tiptap/react";
import { Button, Flex, Input, Popover, Tooltip } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";

/** Sets, changes and removes the link of the selected text; only web and mail addresses are taken. */
export function LinkButton({ editor }: { editor: Editor }) {
  const { t } = useTranslation("kernel");
  const [open, setOpen] = useState(false);
  const [address, setAddress] = useState("");
  const [bad, setBad] = useState(false);
  const active = useEditorState({ editor, selector: ({ editor: current }) => current.isActive("link") });

  const toggle = (next: boolean) => {
    if (next) setAddress(String(editor.getAttributes("link").href ?? ""));
    setBad(false);
    setOpen(next);
  };
  const apply = () => {
    const href = address.trim();
    if (!/^(https?:\/\/|mailto:)\S+$/i.test(href)) return setBad(true);
    const chain = editor.chain().focus().extendMarkRange("link");
    if (editor.state.selection.empty && !active) {
      chain.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.setLink({ href }).run();
    setOpen(false);
  };
  const remove = () => {
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
    setOpen(false);
  };
  const form = (
    <Flex vertical gap={8} style={{ width: 280 }}>
      <Input
        aria-label={t("richText.linkPrompt")}
        placeholder="https://"
        value={address}
        status={bad ? "error" : undefined}
        onChange={(event) => setAddress(event.target.value)}
        onPressEnter={apply}
      />
      <div role={bad ? "alert" : undefined}>{t(bad ? "richText.linkBad" : "richText.linkPrompt")}</div>
      <Flex gap={8} justify="end">
        {active ? <Button onClick={remove}>{t("richText.linkRemove")}</Button> : null}
        <Button type="primary" onClick={apply}>
          {t("richText.linkApply")}
        </Button>
      </Flex>
    </Flex>
  );
  return (
    <Popover open={open} onOpenChange={toggle} trigger="click" content={form}>
      <Tooltip title={t("richText.link")}>
        <Button
          type={active ? "primary" : "text"}
          size="small"
          icon={<LinkOutlined />}
          aria-label={t("richText.link")}
          aria-pressed={active}
        />
      </Tooltip>
    </Popover>
  );
}
