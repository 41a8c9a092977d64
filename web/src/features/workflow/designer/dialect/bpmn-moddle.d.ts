declare module "bpmn-moddle" {
  /** An element of a parsed file; properties are read with get, as they may stand under a prefix. */
  export interface ModdleElement {
    $type: string;
    $attrs: Record<string, string>;
    $parent?: ModdleElement;
    $children?: ModdleElement[];
    $body?: string;
    id?: string;
    get(name: string): unknown;
    set(name: string, value: unknown): void;
    $instanceOf(type: string): boolean;
  }

  /** Something a file says that was not understood. */
  export interface ModdleWarning {
    message: string;
    error?: Error;
    element?: ModdleElement;
    property?: string;
    value?: string;
  }

  export class BpmnModdle {
    constructor(packages?: Record<string, unknown>);
    fromXML(
      xml: string,
    ): Promise<{ rootElement: ModdleElement; warnings: ModdleWarning[]; references: unknown[] }>;
    toXML(
      element: ModdleElement,
      options?: { format?: boolean; preamble?: boolean },
    ): Promise<{ xml: string }>;
    create(type: string, attributes?: Record<string, unknown>): ModdleElement;
    createAny(name: string, uri: string, attributes?: Record<string, unknown>): ModdleElement;
  }
}
