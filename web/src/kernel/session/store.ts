import { create } from "zustand";
import { mergeStudentDefaults } from "./student";
import type { MenuItem, PermissionInfo, SessionUser, StudentDto, TeacherDto } from "./types";

export const ROLE_DEFAULT = "ROLE_DEFAULT";

export interface SessionState {
  /** True once the permission info of the present token has been loaded. */
  ready: boolean;
  user: SessionUser | null;
  roles: string[];
  permissions: string[];
  menus: MenuItem[];
  studentDto: StudentDto | null;
  teacherDto: TeacherDto | null;
  apply: (info: PermissionInfo) => void;
  clear: () => void;
}

const empty = {
  ready: false,
  user: null,
  roles: [],
  permissions: [],
  menus: [],
  studentDto: null,
  teacherDto: null,
};

export const useSession = create<SessionState>()((set) => ({
  ...empty,
  apply: (info) => {
    const roles = info.roles?.length ? info.roles : [ROLE_DEFAULT];
    const student = info.user.type === 1;
    set({
      ready: true,
      user: info.user,
      roles,
      permissions: student
        ? mergeStudentDefaults.permissions(info.permissions ?? [])
        : (info.permissions ?? []),
      menus: student ? mergeStudentDefaults.menus(info.menus ?? []) : (info.menus ?? []),
      studentDto: info.studentDto ?? null,
      teacherDto: info.teacherDto ?? null,
    });
  },
  clear: () => set({ ...empty }),
}));
