import { ArrowDownOutlined, ArrowUpOutlined, CopyOutlined, DeleteOutlined } from "@ant-design/icons";
import { useDroppable } from "@dnd-kit/core";
import { SortableContext, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { Button, Flex, Tag } from "antd";
import { type KeyboardEvent, memo } from "react";
import { SafeHtml } from "@/kernel/html";
import { useTranslation } from "@/kernel/i18n";
import { FieldControl } from "./controls";
import { fieldOf } from "./field";
import { hasChildren, isInput } from "./kinds";
import type { Item } from "./model";
import type { DesignActs } from "./useDesign";
import { initialOf } from "./values";

interface ListProps {
  parent: string;
  items: readonly Item[];
  selected: string;
  /** Keys of items with something to mend. */
  bad: ReadonlySet<string>;
  acts: DesignActs;
  /** What stands there while nothing does. */
  empty?: string;
}

/** The items inside the form, a group or a table; each can be selected, moved, dragged. */
export function CanvasList({ parent, items, empty, ...rest }: ListProps) {
  const { setNodeRef, isOver } = useDroppable({ id: `in:${parent}` });
  return (
    <SortableContext items={items.map((item) => item.key)} strategy={verticalListSortingStrategy}>
      <ul ref={setNodeRef} className={isOver ? "builder-list is-over" : "builder-list"}>
        {items.map((item, index) => (
          <CanvasItem
            key={item.key}
            item={item}
            first={index === 0}
            last={index === items.length - 1}
            {...rest}
          />
        ))}
        {items.length === 0 && empty ? <li className="builder-hint">{empty}</li> : null}
      </ul>
    </SortableContext>
  );
}

interface ItemProps extends Omit<ListProps, "parent" | "items" | "empty"> {
  item: Item;
  first: boolean;
  last: boolean;
}

function CanvasItem({ item, first, last, ...rest }: ItemProps) {
  const { t } = useTranslation("workflow");
  const { selected, bad, acts } = rest;
  const field = fieldOf(item);
  const { listeners, setNodeRef, transform, transition, isDragging, isOver } = useSortable({ id: item.key });
  const chosen = selected === item.key;
  const name = nameOf(item) || t(`kind.${field.kind}`);
  const press = (event: KeyboardEvent) => {
    const act = actOf(event);
    if (!act) return;
    event.preventDefault();
    if (act === "up") acts.moveBy(item.key, -1);
    else if (act === "down") acts.moveBy(item.key, 1);
    else if (act === "duplicate") acts.duplicate(item.key);
    else acts.remove(item.key);
  };
  const marks = [
    chosen && "is-chosen",
    bad.has(item.key) && "is-bad",
    isDragging && "is-dragged",
    isOver && "is-target",
  ];
  return (
    <li
      ref={setNodeRef}
      className={["builder-item", ...marks].filter(Boolean).join(" ")}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
    >
      <button
        {...listeners}
        type="button"
        className="builder-pick"
        data-item={item.key}
        aria-pressed={chosen}
        aria-label={t("builder.pick", { name, kind: t(`kind.${field.kind}`) })}
        onClick={() => acts.select(item.key)}
        onKeyDown={press}
      />
      <Look item={item} />
      {hasChildren(field.kind) ? (
        <CanvasList
          parent={item.key}
          items={item.children}
          empty={t(field.kind === "table" ? "builder.emptyTable" : "builder.emptyGroup")}
          {...rest}
        />
      ) : null}
      {chosen ? <Acts item={item} name={name} first={first} last={last} acts={acts} /> : null}
    </li>
  );
}

function actOf(event: KeyboardEvent): "up" | "down" | "duplicate" | "remove" | null {
  if (event.altKey && event.key === "ArrowUp") return "up";
  if (event.altKey && event.key === "ArrowDown") return "down";
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "d") return "duplicate";
  return event.key === "Delete" || event.key === "Backspace" ? "remove" : null;
}

/** What an item is called: by its label, else by its field. */
export function nameOf(item: Item): string {
  const { label, name, type } = fieldOf(item);
  return label || name || type;
}

/** An item as it will look; nothing in it can be reached. */
const Look = memo(function Look({ item }: { item: Item }) {
  const { t } = useTranslation("workflow");
  const field = fieldOf(item);
  if (field.kind === "description") {
    return (
      <div className="builder-look" inert>
        <SafeHtml html={field.content} />
      </div>
    );
  }
  const plain = isInput(field.kind) && field.kind !== "table";
  const kind = t(`kind.${field.kind}`);
  return (
    <div className="builder-look" inert>
      <Flex gap={8} align="center" className="builder-name">
        <span className={field.kind === "divider" || field.kind === "group" ? "builder-heading" : undefined}>
          {nameOf(item)}
          {field.required ? " *" : null}
        </span>
        {plain || nameOf(item) === kind ? null : <Tag>{kind}</Tag>}
        {field.kind === "unsupported" ? <Tag color="warning">{field.type || "?"}</Tag> : null}
      </Flex>
      {field.help ? <div className="form-help">{field.help}</div> : null}
      {plain ? <FieldControl field={field} value={initialOf(item)} aria-label={field.label} /> : null}
    </div>
  );
});

interface ActsProps {
  item: Item;
  name: string;
  first: boolean;
  last: boolean;
  acts: DesignActs;
}

function Acts({ item, name, first, last, acts }: ActsProps) {
  const { t } = useTranslation("workflow");
  const common = { size: "small", type: "text" } as const;
  return (
    <Flex className="builder-acts" gap={2}>
      <Button
        {...common}
        icon={<ArrowUpOutlined />}
        disabled={first}
        aria-label={t("builder.up", { name })}
        onClick={() => acts.moveBy(item.key, -1)}
      />
      <Button
        {...common}
        icon={<ArrowDownOutlined />}
        disabled={last}
        aria-label={t("builder.down", { name })}
        onClick={() => acts.moveBy(item.key, 1)}
      />
      <Button
        {...common}
        icon={<CopyOutlined />}
        aria-label={t("builder.copy", { name })}
        onClick={() => acts.duplicate(item.key)}
      />
      <Button
        {...common}
        danger
        icon={<DeleteOutlined />}
        aria-label={t("builder.remove", { name })}
        onClick={() => acts.remove(item.key)}
      />
    </Flex>
  );
}
