import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { findStudents } from "./calls";

const PAUSE = 200;

interface Props {
  id?: string;
  value?: unknown;
  onChange?: (value: number | undefined) => void;
}

/** Finds one student by name or number; the server searches while one types. */
export function StudentSelect({ id, value, onChange }: Props) {
  const { t } = useTranslation("academic");
  const [typed, setTyped] = useState("");
  const [keyword, setKeyword] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setKeyword(typed.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, isFetching } = useQuery({
    queryKey: ["/thesis/students", "select", keyword],
    queryFn: ({ signal }) => findStudents(keyword, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <Select<number>
      id={id}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={isFetching}
      value={value as number | undefined}
      onChange={onChange}
      notFoundContent={isFetching ? t("studentSelect.searching") : t("studentSelect.none")}
      options={(data?.list ?? []).map((student) => ({
        value: student.id,
        label: `${student.name} ${student.studentNo} ${student.deptName}`,
      }))}
      style={{ width: "100%" }}
    />
  );
}
