import { Tag } from "antd";
import { put } from "@/kernel/api/client";
import { type BaseRow, crudPage } from "@/kernel/crud";
import { dictLabel } from "@/kernel/dict";
import { t } from "@/kernel/i18n";
import { confirmBox, toast } from "@/kernel/ui";

interface Semester extends BaseRow {
  academicYear: string;
  item: number;
  startDate: string;
  endDate: string;
  weekCount: number;
  isCurrent: boolean;
}

const nameOf = (row: Semester) => `${row.academicYear} ${dictLabel("semester_items", row.item)}`;

export default crudPage<Semester>("thesis/semester", {
  ns: "academic",
  description: "academic:semester.about",
  nameOf,
  columns: [
    { name: "academicYear", search: true, half: true, help: "academic:semester.yearHelp" },
    { name: "item", search: true, half: true },
    { name: "startDate", half: true },
    { name: "endDate", half: true },
    { name: "weekCount", half: true, initial: 20 },
    {
      name: "isCurrent",
      search: true,
      render: (value) => (value ? <Tag color="success">{t("academic:semester.current")}</Tag> : null),
    },
  ],
  actions: [
    {
      key: "current",
      label: "academic:semester.setCurrent",
      permission: "thesis:semester:update",
      hidden: (row) => row.isCurrent,
      run: async (row, page) => {
        const name = nameOf(row);
        if (!(await confirmBox(t("academic:semester.confirmCurrent", { name })))) return;
        await put("/thesis/semester/set-current", undefined, { query: { id: row.id } });
        toast.success(t("academic:semester.nowCurrent", { name }));
        await page.refresh();
      },
    },
  ],
});
