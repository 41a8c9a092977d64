import type { PageRegistry } from "@/layout";

/** Pages of the module by the component keys of its menus; `index` is everybody's home. */
export const pages: PageRegistry = {
  index: () => import("./home"),
  "myThesis/students-subject": () => import("./subject/SubjectPage"),
  "studentEnd/myMentor": () => import("./mentor"),
  "feedback/feedback/list": () => import("./feedback/list"),
  "teacher/desk": () => import("./teacher/desk"),
  "teacher/students": () => import("./teacher/students"),
  "teacher/topic": () => import("./teacher/topic"),
  "teacher/todo": () => import("./decide/TodoPage"),
  "thesis/record/index": () => import("./staff/record"),
  "thesis/topic/index": () => import("./staff/topic"),
  "thesis/students-subject/index": () => import("./staff/subjects"),
  "thesis/step-window/index": () => import("./staff/stepWindow"),
  "thesis/policy/index": () => import("./staff/policy"),
  "thesis/feedback/index": () => import("./feedback/staff"),
};
