import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { theme } from "antd";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { RichTextToolbar } from "./RichTextToolbar";
import { RICH_TEXT_HEIGHT, type RichTextProps } from "./richTextProps";
import "./richText.css";

const extensions = [
  StarterKit.configure({
    heading: { levels: [1, 2, 3] },
    trailingNode: false,
    link: { openOnClick: false, protocols: ["http", "https", "mailto"], defaultProtocol: "https" },
  }),
];

/** The Tiptap editor itself; import it through `RichText`, which fetches it lazily. */
export function RichTextEditor({ id, value, onChange, onBlur, disabled, height, label }: RichTextProps) {
  const { t } = useTranslation("kernel");
  const { token } = theme.useToken();
  const name = label ?? t("richText.label");
  const editor = useEditor({
    extensions,
    content: value ?? "",
    editable: !disabled,
    editorProps: {
      attributes: { ...(id ? { id } : {}), role: "textbox", "aria-multiline": "true", "aria-label": name },
    },
    onUpdate: ({ editor: current }) => onChange?.(current.isEmpty ? "" : current.getHTML()),
    onBlur: () => onBlur?.(),
  });

  useEffect(() => {
    if (!editor) return;
    const present = editor.isEmpty ? "" : editor.getHTML();
    if ((value ?? "") !== present) editor.commands.setContent(value ?? "", { emitUpdate: false });
  }, [editor, value]);

  useEffect(() => {
    // Without the flag this would count as an edit and mark the form as changed.
    editor?.setEditable(!disabled, false);
  }, [editor, disabled]);

  return (
    <div
      className="viva-rich-text"
      style={{
        border: `1px solid ${token.colorBorder}`,
        borderRadius: token.borderRadius,
        background: token.colorBgContainer,
      }}
    >
      {editor && !disabled ? <RichTextToolbar editor={editor} /> : null}
      <EditorContent editor={editor} style={{ height: height ?? RICH_TEXT_HEIGHT, overflowY: "auto" }} />
    </div>
  );
}
