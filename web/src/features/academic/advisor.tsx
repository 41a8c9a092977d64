import { type BaseRow, crudPage } from "@/kernel/crud";
import { NamesInput, NamesText } from "./Names";

interface Advisor extends BaseRow {
  userId: number;
  staffNo: string;
  name: string;
  deptId: number;
  deptName: string;
  titleRank: number;
  advisorLevels: string[];
  quotaPerYear: number;
  students: number;
  disciplines: string[];
  researchKeywords: string[];
  employer: string;
  external: boolean;
  email: string;
  officeHours: string;
  isEnable: number;
}

/** The kinds of advisors a university appoints. */
const levels = ["博导", "硕导", "行业导师"];
const names = (value: unknown) => <NamesText value={value} />;

export default crudPage<Advisor>("thesis/advisor", {
  ns: "academic",
  description: "academic:advisor.about",
  columns: [
    { name: "name", search: true, half: true },
    { name: "staffNo", search: true, half: true },
    { name: "deptId", search: true, half: true, render: (_, row) => row.deptName },
    { name: "titleRank", search: true, half: true },
    {
      name: "advisorLevels",
      render: names,
      input: (control) => <NamesInput {...control} offered={levels} />,
    },
    {
      name: "students",
      width: 150,
      render: (_, row) => <Load students={row.students} quota={row.quotaPerYear} />,
    },
    { name: "quotaPerYear", table: false, detail: true, half: true, help: "academic:advisor.quotaHelp" },
    { name: "userId", table: false, detail: true, half: true, help: "academic:advisor.userHelp" },
    {
      name: "disciplines",
      optional: true,
      render: names,
      input: NamesInput,
      help: "academic:advisor.disciplinesHelp",
    },
    { name: "researchKeywords", optional: true, render: names, input: NamesInput },
    { name: "email", optional: true, half: true },
    { name: "officeHours", optional: true, half: true, help: "academic:advisor.hoursHelp" },
    { name: "external", search: true, optional: true, half: true, initial: false },
    { name: "employer", optional: true, half: true },
    { name: "isEnable", search: true, half: true, initial: 1 },
  ],
});

/** How many students somebody has beside the yearly quota; no quota, no comparison. */
function Load({ students, quota }: { students: number; quota: number }) {
  return <>{quota > 0 ? `${students} / ${quota}` : students}</>;
}
