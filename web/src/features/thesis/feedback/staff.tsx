import { Rate, Skeleton } from "antd";
import { lazy, Suspense } from "react";
import { type CrudOptions, CrudPage, entityOf, useCrudPage } from "@/kernel/crud";
import { t, useTranslation } from "@/kernel/i18n";
import { useViewAction } from "../shared/useViewAction";
import type { Feedback } from "./calls";

const hidden = { detail: false } as const;

// Fetched when the first row is opened.
const Thread = lazy(() => import("./Thread").then((module) => ({ default: module.Thread })));

const name = "thesis/feedback";
const entity = entityOf(name);

const base: CrudOptions<Feedback> = {
  ns: "thesis",
  title: "thesis:feedback.staffPage",
  description: "thesis:feedback.staffAbout",
  nameOf: (row) => row.title,
  columns: [
    { name: "title", search: true, width: 260, ...hidden },
    { name: "kind", search: true, ...hidden },
    { name: "state", search: true, ...hidden },
    { name: "userName", search: true, width: 120, ...hidden },
    { name: "deptId", search: true, ...hidden },
    { name: "handlerName", width: 120, ...hidden },
    {
      name: "rating",
      width: 160,
      ...hidden,
      render: (value) =>
        Number(value) > 0 ? (
          <Rate
            disabled
            value={Number(value)}
            aria-label={t("thesis:feedback.stars", { n: Number(value) })}
          />
        ) : null,
    },
    { name: "createTime", label: "thesis:feedback.createTime", width: 160, ...hidden },
    { name: "lastReplyAt", optional: true, ...hidden },
    { name: "reopenCount", optional: true, ...hidden },
  ],
  detailExtra: (row) => (
    <Suspense fallback={<Skeleton active />}>
      <Thread id={row.id} />
    </Suspense>
  ),
};

/** What students and teachers ask; whoever handles it answers in the same thread. */
export default function StaffFeedbackPage() {
  useTranslation("thesis");
  const { options, shown } = useViewAction(base);
  const page = useCrudPage<Feedback>(entity, options);
  shown.id = page.detail?.id ?? 0;
  return <CrudPage page={page} options={options} name={name} />;
}
