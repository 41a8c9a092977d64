import { useTranslation } from "react-i18next";
import { Link } from "react-router";

/** An address of this application: at least two segments, and a query where it needs one. */
const ADDRESS = /(?<![\w.:/])(\/[a-z][\w-]*(?:\/[\w-]+)+(?:\?[\w=&%.-]+)?)/gi;

interface Props {
  text: string;
  /** Called when a link is followed, so that what lies over the page can close. */
  onFollow?: () => void;
  /** Where a link would stand inside a button or another link, only its words stand. */
  plain?: boolean;
}

/** A text of the server in which addresses of pages are links; addresses elsewhere stay text. */
export function LinkedText({ text, onFollow, plain = false }: Props) {
  const { t } = useTranslation("kernel");
  const parts = text.split(ADDRESS);
  if (parts.length === 1) return text;
  // Split leaves text and address in turn.
  return parts.map((part, at) => {
    const key = `${at}${part}`;
    if (at % 2 === 0) return part;
    if (plain) return <span key={key}>{t("openPage")}</span>;
    return (
      <Link key={key} to={part} onClick={onFollow}>
        {t("openPage")}
      </Link>
    );
  });
}
