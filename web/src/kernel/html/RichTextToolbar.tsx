import {
  BoldOutlined,
  ClearOutlined,
  CodeOutlined,
  ItalicOutlined,
  LineOutlined,
  MenuOutlined,
  OrderedListOutlined,
  RedoOutlined,
  StrikethroughOutlined,
  UnderlineOutlined,
  UndoOutlined,
  UnorderedListOutlined,
} from "@ant-design/icons";
import { type Editor, useEditorState } from "@tiptap/react";
import { Button, Select, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LinkButton } from "./RichTextLink";

interface Tool {
  key: string;
  icon: ReactNode;
  run: (editor: Editor) => void;
  active?: (editor: Editor) => boolean;
  enabled?: (editor: Editor) => boolean;
}

const marks: Tool[] = [
  {
    key: "bold",
    icon: <BoldOutlined />,
    run: (e) => e.chain().focus().toggleBold().run(),
    active: (e) => e.isActive("bold"),
  },
  {
    key: "italic",
    icon: <ItalicOutlined />,
    run: (e) => e.chain().focus().toggleItalic().run(),
    active: (e) => e.isActive("italic"),
  },
  {
    key: "underline",
    icon: <UnderlineOutlined />,
    run: (e) => e.chain().focus().toggleUnderline().run(),
    active: (e) => e.isActive("underline"),
  },
  {
    key: "strike",
    icon: <StrikethroughOutlined />,
    run: (e) => e.chain().focus().toggleStrike().run(),
    active: (e) => e.isActive("strike"),
  },
];

const blocks: Tool[] = [
  {
    key: "bulletList",
    icon: <UnorderedListOutlined />,
    run: (e) => e.chain().focus().toggleBulletList().run(),
    active: (e) => e.isActive("bulletList"),
  },
  {
    key: "orderedList",
    icon: <OrderedListOutlined />,
    run: (e) => e.chain().focus().toggleOrderedList().run(),
    active: (e) => e.isActive("orderedList"),
  },
  {
    key: "blockquote",
    icon: <MenuOutlined />,
    run: (e) => e.chain().focus().toggleBlockquote().run(),
    active: (e) => e.isActive("blockquote"),
  },
  {
    key: "codeBlock",
    icon: <CodeOutlined />,
    run: (e) => e.chain().focus().toggleCodeBlock().run(),
    active: (e) => e.isActive("codeBlock"),
  },
  { key: "rule", icon: <LineOutlined />, run: (e) => e.chain().focus().setHorizontalRule().run() },
];

const history: Tool[] = [
  { key: "clear", icon: <ClearOutlined />, run: (e) => e.chain().focus().unsetAllMarks().clearNodes().run() },
  {
    key: "undo",
    icon: <UndoOutlined />,
    run: (e) => e.chain().focus().undo().run(),
    enabled: (e) => e.can().undo(),
  },
  {
    key: "redo",
    icon: <RedoOutlined />,
    run: (e) => e.chain().focus().redo().run(),
    enabled: (e) => e.can().redo(),
  },
];

export function RichTextToolbar({ editor }: { editor: Editor }) {
  const { t } = useTranslation("kernel");
  return (
    <div className="viva-rich-text-toolbar" role="toolbar" aria-label={t("richText.toolbar")}>
      <BlockSelect editor={editor} />
      {marks.map((tool) => (
        <ToolButton key={tool.key} tool={tool} editor={editor} />
      ))}
      <LinkButton editor={editor} />
      {[...blocks, ...history].map((tool) => (
        <ToolButton key={tool.key} tool={tool} editor={editor} />
      ))}
    </div>
  );
}

function ToolButton({ tool, editor }: { tool: Tool; editor: Editor }) {
  const { t } = useTranslation("kernel");
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      active: tool.active?.(current) ?? false,
      enabled: tool.enabled?.(current) ?? true,
    }),
  });
  const label = t(`richText.${tool.key}`);
  return (
    <Tooltip title={label}>
      <Button
        type={state.active ? "primary" : "text"}
        size="small"
        icon={tool.icon}
        aria-label={label}
        aria-pressed={tool.active ? state.active : undefined}
        disabled={!state.enabled}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => tool.run(editor)}
      />
    </Tooltip>
  );
}

type Level = 1 | 2 | 3;
const levels: Level[] = [1, 2, 3];

function BlockSelect({ editor }: { editor: Editor }) {
  const { t } = useTranslation("kernel");
  const level = useEditorState({
    editor,
    selector: ({ editor: current }) => levels.find((l) => current.isActive("heading", { level: l })) ?? 0,
  });
  const choose = (next: number) => {
    const chain = editor.chain().focus();
    if (next === 0) chain.setParagraph().run();
    else chain.setHeading({ level: next as Level }).run();
  };
  return (
    <Select
      size="small"
      variant="borderless"
      aria-label={t("richText.block")}
      style={{ width: 108 }}
      value={level}
      onChange={choose}
      options={[
        { value: 0, label: t("richText.paragraph") },
        ...levels.map((l) => ({ value: l, label: t(`richText.h${l}`) })),
      ]}
    />
  );
}
