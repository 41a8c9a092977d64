/** Where the choices of a type of rule come from; a type without either needs none. */
export interface RuleType {
  value: number;
  path?: string;
  dict?: string;
}

export const SCRIPT = 50;
export const EXPRESSION = 60;

/** The types a stored rule may have; the server knows the same list. */
export const ruleTypes: RuleType[] = [
  { value: 10, path: "/system/role/list-all-simple" },
  { value: 20, path: "/system/dept/list-all-simple" },
  { value: 21, path: "/system/dept/list-all-simple" },
  { value: 22, path: "/system/post/list-all-simple" },
  { value: 30, path: "/system/user/list-all-simple" },
  { value: 40, path: "/bpm/user-group/list-all-simple" },
  { value: SCRIPT, dict: "bpm_task_assign_script" },
  { value: EXPRESSION },
  { value: 36 },
  { value: 35 },
  { value: 34 },
];

export function needsOptions(type: number): boolean {
  const known = ruleTypes.find(({ value }) => value === type);
  return type === EXPRESSION || !!known?.path || !!known?.dict;
}
