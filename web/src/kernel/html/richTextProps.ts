export const RICH_TEXT_HEIGHT = 300;

export interface RichTextProps {
  id?: string;
  value?: string | null;
  onChange?: (html: string) => void;
  onBlur?: () => void;
  disabled?: boolean;
  height?: number;
  /** Accessible name; default 正文. */
  label?: string;
}
