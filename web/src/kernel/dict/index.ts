export { DictSelect, type DictValue, useDictOptions } from "./DictSelect";
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
