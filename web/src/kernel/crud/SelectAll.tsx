import { Checkbox } from "antd";
import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  count: number;
  total: number;
  onChange: (all: boolean) => void;
}

/**
 * The box over the selection column. The table repeats its headers in a hidden row that measures
 * widths; there the box leaves itself out, so that nobody can focus it.
 */
export function SelectAll({ count, total, onChange }: Props) {
  const { t } = useTranslation("kernel");
  const place = useRef<HTMLSpanElement>(null);
  const [visible, setVisible] = useState(false);
  useLayoutEffect(() => {
    setVisible(!place.current?.closest('[aria-hidden="true"]'));
  }, []);
  return (
    <span ref={place}>
      {visible ? (
        <Checkbox
          aria-label={t("list.selectAll")}
          checked={total > 0 && count === total}
          indeterminate={count > 0 && count < total}
          onChange={(event) => onChange(event.target.checked)}
        />
      ) : null}
    </span>
  );
}
