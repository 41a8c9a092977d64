declare module "bpmn-js-create-append-anything" {
  export const CreateAppendAnythingModule: Record<string, unknown>;
}
declare module "bpmn-js-color-picker" {
  const module: Record<string, unknown>;
  // biome-ignore lint/style/noDefaultExport: so the package is made
  export default module;
}
declare module "diagram-js-minimap" {
  const module: Record<string, unknown>;
  // biome-ignore lint/style/noDefaultExport: so the package is made
  export default module;
}
declare module "diagram-js-grid" {
  const module: Record<string, unknown>;
  // biome-ignore lint/style/noDefaultExport: so the package is made
  export default module;
}
declare module "bpmn-js-token-simulation/lib/viewer" {
  const module: Record<string, unknown>;
  // biome-ignore lint/style/noDefaultExport: so the package is made
  export default module;
}
declare module "bpmn-auto-layout" {
  export function layoutProcess(xml: string): Promise<string>;
}
