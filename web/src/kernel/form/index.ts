export { ActDialog } from "./ActDialog";
export { showRefusedFields } from "./refusedFields";
export { requiredMark } from "./requiredMark";
