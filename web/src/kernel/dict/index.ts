export { DictSelect, type DictValue } from "./DictSelect";
export { DictTag } from "./DictTag";
export {
  clearDicts,
  type DictEntry,
  dictEntries,
  dictLabel,
  findDict,
  loadDicts,
  useDict,
} from "./store";
