export interface MenuItem {
  id: number;
  parentId: number;
  name: string;
  path: string;
  component: string | null;
  componentName?: string | null;
  icon?: string | null;
  visible: boolean;
  keepAlive: boolean;
  alwaysShow: boolean;
  children: MenuItem[] | null;
}

/** 1 student, 2 teacher and other staff. */
export type UserType = 1 | 2;

export interface SessionUser {
  id: number;
  username: string;
  nickname: string;
  avatar?: string | null;
  deptId?: number | null;
  email?: string | null;
  mobile?: string | null;
  type: UserType;
  advisorId?: number | null;
  introduction?: string | null;
}

export interface StudentDto {
  id: number;
  realNameState?: number | null;
  [field: string]: unknown;
}

export interface TeacherDto {
  id: number;
  [field: string]: unknown;
}

/** What GET /system/auth/get-permission-info answers. */
export interface PermissionInfo {
  user: SessionUser;
  roles: string[];
  permissions: string[];
  menus: MenuItem[];
  studentDto?: StudentDto | null;
  teacherDto?: TeacherDto | null;
}
