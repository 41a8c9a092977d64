import { Input } from "antd";
import { type BaseRow, crudPage, RefText } from "@/kernel/crud";
import { t } from "@/kernel/i18n";
import { LevelSelect, LevelText } from "../teacher/topicColumns";

interface Policy extends BaseRow {
  name: string;
  deptId: number;
  degreeLevel: number;
  degreeType: number;
  entryYear: number;
  status: number;
  validFrom: number;
  body: string;
}

const orAny = (value: unknown) => (value ? String(value) : t("thesis:policy.any"));

/** Rules by scope: the most specific one wins, and a step keeps the rules it opened with. */
export default crudPage<Policy>("thesis/policy", {
  ns: "thesis",
  description: "thesis:policy.about",
  columns: [
    { name: "name", search: true },
    { name: "status", search: true, half: true, initial: 0, help: "thesis:policy.statusHelp" },
    { name: "validFrom", half: true },
    {
      name: "deptId",
      search: true,
      half: true,
      help: "thesis:policy.scopeHelp",
      render: (value) =>
        value ? <RefText path="/system/dept/list-all-simple" value={value} /> : t("thesis:window.everybody"),
    },
    {
      name: "degreeLevel",
      label: "thesis:topic.level",
      half: true,
      initial: 0,
      render: (value) => <LevelText value={value} />,
      input: LevelSelect,
    },
    { name: "degreeType", half: true, optional: true, initial: 0, render: orAny },
    { name: "entryYear", half: true, initial: 0, render: orAny },
    {
      name: "body",
      optional: true,
      initial: "{}",
      help: "thesis:policy.bodyHelp",
      input: ({ id, value, onChange, onBlur }) => (
        <Input.TextArea
          id={id}
          value={value as string}
          onChange={(event) => onChange?.(event.target.value)}
          onBlur={onBlur}
          autoSize={{ minRows: 4, maxRows: 16 }}
          spellCheck={false}
          style={{ fontFamily: "ui-monospace, Menlo, monospace" }}
        />
      ),
    },
  ],
});
