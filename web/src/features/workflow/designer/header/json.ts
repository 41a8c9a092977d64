import { parseXml, type XmlNode } from "../fidelity/xml";

/** The usual long form of XML in JSON: every element with its name, attributes and content in order. */
export function jsonOf(xml: string): string {
  return JSON.stringify({ elements: [elementOf(parseXml(xml))] }, null, 2);
}

function elementOf(node: XmlNode): object {
  const attributes = Object.fromEntries(node.attributes.map(({ name, value }) => [name, value]));
  const text = node.text ? [{ type: "text", text: node.text }] : [];
  const elements = [...text, ...node.children.map(elementOf)];
  return {
    type: "element",
    name: node.name,
    ...(node.attributes.length > 0 ? { attributes } : {}),
    ...(elements.length > 0 ? { elements } : {}),
  };
}
