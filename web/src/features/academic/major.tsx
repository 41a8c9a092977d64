import { type BaseRow, crudPage } from "@/kernel/crud";
import { DictSelect, DictTag, type DictValue } from "@/kernel/dict";

interface Major extends BaseRow {
  code: string;
  name: string;
  deptId: number;
  deptName: string;
  degreeType: number;
  degreeLevels: number[];
  isEnable: number;
}

export default crudPage<Major>("thesis/major", {
  ns: "academic",
  description: "academic:major.about",
  columns: [
    { name: "code", search: true, half: true },
    { name: "name", search: true, half: true },
    { name: "deptId", search: true, half: true, render: (_, row) => row.deptName },
    { name: "degreeType", search: true, half: true },
    {
      name: "degreeLevels",
      help: "academic:major.levelsHelp",
      render: (value) =>
        ((value as number[] | null) ?? []).map((level) => (
          <DictTag key={level} type="thesis_degree_level" value={level} />
        )),
      input: ({ id, value, onChange }) => (
        <DictSelect
          id={id}
          type="thesis_degree_level"
          multiple
          value={value as DictValue[]}
          onChange={onChange}
          style={{ width: "100%" }}
        />
      ),
    },
    { name: "isEnable", initial: 1, half: true },
  ],
});
