import { Select } from "antd";
import type { ColumnSpec, CrudPageHandle, RowAction } from "@/kernel/crud";
import { DictSelect, DictTag, type DictValue, useDict } from "@/kernel/dict";
import { t } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";
import { setTopicState, TOPIC_PUBLISHED, type Topic } from "./calls";

interface LevelProps {
  id?: string;
  value?: unknown;
  onChange?: (value: number) => void;
}

/** A degree level, or any. */
export function LevelSelect({ id, value, onChange }: LevelProps) {
  const levels = useDict("thesis_degree_level");
  return (
    <Select<number>
      id={id}
      value={(value as number | undefined) ?? 0}
      onChange={onChange}
      options={[
        { value: 0, label: t("thesis:topic.anyLevel") },
        ...levels.map((level) => ({ value: Number(level.value), label: level.label })),
      ]}
    />
  );
}

export function LevelText({ value }: { value: unknown }) {
  if (!value) return <>{t("thesis:topic.anyLevel")}</>;
  return <DictTag type="thesis_degree_level" value={value} />;
}

/** The columns of a topic; staff also see and choose the advisor. */
export function topicColumns(staff: boolean): ColumnSpec<Topic>[] {
  const advisor: ColumnSpec<Topic>[] = staff
    ? [
        { name: "advisorId", search: true, half: true, render: (_, row) => row.advisorName },
        { name: "deptId", search: true, optional: true },
      ]
    : [];
  return [
    { name: "title", search: true, width: 280 },
    { name: "state", search: true, width: 100 },
    {
      name: "takenCount",
      label: "thesis:topic.places",
      width: 110,
      render: (_, row) => t("thesis:topic.taken", { n: row.takenCount, max: row.maxStudents }),
    },
    { name: "maxStudents", table: false, half: true, initial: 1, help: "thesis:topic.maxHelp" },
    ...advisor,
    { name: "thesisType", search: true, half: true },
    { name: "thesisSource", half: true, optional: true },
    { name: "sourceNo", table: false, half: true, help: "thesis:subject.sourceNoHelp" },
    {
      name: "degreeLevel",
      label: "thesis:topic.level",
      half: true,
      initial: 0,
      render: (value) => <LevelText value={value} />,
      input: LevelSelect,
    },
    { name: "majorIds", optional: true, help: "thesis:topic.majorsHelp" },
    {
      name: "semester",
      optional: true,
      half: true,
      render: (value) => <DictTag type="academic_year_semesters" value={value} />,
      input: ({ id, value, onChange }) => (
        <DictSelect
          id={id}
          type="academic_year_semesters"
          as="string"
          value={value as DictValue}
          onChange={onChange}
        />
      ),
    },
    { name: "summary", optional: true, help: "thesis:topic.summaryHelp" },
  ];
}

async function change(row: Topic, act: "publish" | "close", page: CrudPageHandle<Topic>): Promise<void> {
  if (act === "close" && !(await confirmBox(t("thesis:topic.closeAsk", { title: row.title })))) return;
  try {
    await setTopicState(row, act);
    toast.success(t(`thesis:topic.${act}Done`, { title: row.title }));
  } catch (error) {
    toast.error(error instanceof Error ? error.message : String(error), 5);
  }
  await page.refresh();
}

export const topicActions: RowAction<Topic>[] = [
  {
    key: "publish",
    label: "thesis:topic.publish",
    permission: "thesis:topic:update",
    hidden: (row) => row.state === TOPIC_PUBLISHED,
    run: (row, page) => change(row, "publish", page),
  },
  {
    key: "close",
    label: "thesis:topic.close",
    permission: "thesis:topic:update",
    hidden: (row) => row.state !== TOPIC_PUBLISHED,
    run: (row, page) => change(row, "close", page),
  },
];
