import type { MenuItem } from "./types";

function page(id: number, path: string, component: string, name: string, icon = ""): MenuItem {
  return {
    id,
    parentId: 0,
    name,
    path,
    component,
    componentName: null,
    icon,
    visible: true,
    keepAlive: true,
    alwaysShow: false,
    children: null,
  };
}

function folder(base: MenuItem, children: MenuItem[]): MenuItem {
  return {
    ...base,
    component: null,
    alwaysShow: true,
    children: children.map((c) => ({ ...c, parentId: base.id })),
  };
}

/** Ids are negative: they never meet an id of the server. */
const studentMenus: MenuItem[] = [
  folder(page(-10, "/study", "", "学习", "ep:reading"), [
    page(-11, "myCourse", "study/myCourse", "我的课程"),
    page(-12, "myScore", "study/myScore", "我的成绩"),
  ]),
  folder(page(-20, "/studentEnd", "", "我的导师", "ep:user"), [
    page(-21, "myMentor", "studentEnd/myMentor", "我的导师"),
  ]),
  folder(page(-30, "/myThesis", "", "我的论文", "ep:document"), [
    page(-31, "students-subject", "myThesis/students-subject", "选题申报"),
    page(-32, "students-open-subject", "myThesis/students-open-subject", "开题报告"),
    page(-33, "pre-defense-application", "myThesis/pre-defense-application", "预答辩申请"),
    page(-34, "blindReviewStudent", "myThesis/blindReviewStudent", "盲审结果"),
    page(-35, "defense-application", "myThesis/defense-application", "答辩申请"),
    page(-36, "archivingStudent", "myThesis/archivingStudent", "论文归档提交"),
    page(-37, "achievementsStudent", "myThesis/achievementsStudent", "学术成果提交"),
  ]),
  folder(page(-40, "/student", "", "证书", "ep:medal"), [
    page(-41, "certificate", "student/certificate", "证书"),
  ]),
  {
    ...folder(page(-50, "/withdrawal", "", "退学申请", "ep:remove"), [
      page(-51, "student/withdrawal", "student/withdrawal", "退学申请"),
    ]),
    visible: false,
  },
  folder(page(-60, "/feedback", "", "问题反馈", "ep:chat-line-round"), [
    page(-61, "feedback/list", "feedback/feedback/list", "问题反馈"),
  ]),
];

const crud = ["query", "create", "update", "delete", "export"];

const studentPermissions: string[] = [
  ...["achievements-student", "archiving-student", "defense-application", "pre-defense-application"].flatMap(
    (entity) => crud.map((verb) => `thesis:${entity}:${verb}`),
  ),
  "thesis:students-subject:query",
  "thesis:students-subject:submit",
  "thesis:students-open-subject:query",
  "thesis:students-open-subject:submit",
  "thesis:students-open-subject:download",
  "thesis:students:getStudentAllCourse",
  "thesis:students:gotoRoom",
  "thesis:video-playback:getPage",
  "thesis:student-status-change:dropOut",
  "thesis:course-score:getStudentCourseScore",
  "thesis:feedback:create",
  "thesis:feedback:query",
  "system:notice:query",
];

/** Merges the student's built-in menu and permissions with what the server sent; the server wins. */
export const mergeStudentDefaults = {
  permissions: (own: string[]): string[] => [...new Set([...own, ...studentPermissions])],
  menus: (own: MenuItem[]): MenuItem[] => mergeMenus(own, studentMenus),
};

function mergeMenus(own: MenuItem[], builtIn: MenuItem[]): MenuItem[] {
  const merged = own.map((menu) => {
    const twin = builtIn.find((b) => b.path === menu.path);
    if (!twin?.children) return menu;
    return { ...menu, children: mergeMenus(menu.children ?? [], twin.children) };
  });
  return [...merged, ...builtIn.filter((b) => !own.some((menu) => menu.path === b.path))];
}
