/** A property of an extension type, as moddle wants it described. */
export interface PropertyDescriptor {
  name: string;
  type: string;
  isAttr?: boolean;
  isBody?: boolean;
  isMany?: boolean;
  default?: string | boolean;
}

/** An extension type, as moddle wants it described. */
export interface TypeDescriptor {
  name: string;
  extends?: string[];
  superClass?: string[];
  isAbstract?: boolean;
  meta?: { allowedIn: string[] };
  properties?: PropertyDescriptor[];
}

/** All extensions of one engine, as moddle wants them described. */
export interface PackageDescriptor {
  name: string;
  uri: string;
  prefix: string;
  xml: { tagAlias: "lowerCase" };
  associations: unknown[];
  types: TypeDescriptor[];
}

/**
 * Reads one property from its short form: `name` is an attribute, `name?` a boolean one,
 * `name=latest` one with a default, `<name` a child with text, `<name:Type` a child of that type,
 * `<name:Type*` many of them, `#name` the text of the element itself.
 */
export function property(short: string): PropertyDescriptor {
  const match = /^([<#]?)([\w]+)(\??)(?::([\w:]+))?(\*?)(?:=(.+))?$/.exec(short);
  if (!match?.[2]) throw new Error(`no property: ${short}`);
  const [, place, name, boolean, type, many, standard] = match;
  if (place === "#") return { name, isBody: true, type: "String" };
  if (place === "<") return { name, type: type ?? "String", ...(many ? { isMany: true } : {}) };
  return {
    name,
    isAttr: true,
    type: boolean ? "Boolean" : (type ?? "String"),
    ...(standard === undefined ? {} : { default: boolean ? standard === "true" : standard }),
  };
}

/** Reads a list of properties in short form, separated by spaces. */
export function properties(short: string): PropertyDescriptor[] {
  return short.split(/\s+/).filter(Boolean).map(property);
}
