export { RichText } from "./RichText";
export { RICH_TEXT_HEIGHT, type RichTextProps } from "./richTextProps";
export { SafeHtml, sanitize } from "./SafeHtml";
