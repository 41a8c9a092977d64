/** One entry of the application's route tree, built from the server's menus or declared by the layout. */
export interface AppRoute {
  /** Address inside the application (`/system/user`), or the whole address of a link that opens elsewhere. */
  path: string;
  name: string;
  title: string;
  icon: string;
  /** Key in the page registry; null for folders, links and embedded pages. */
  component: string | null;
  /** Address shown inside an iframe by this route. */
  frame: string | null;
  /** Opens in a new browser tab instead of the shell. */
  external: boolean;
  /** Reachable by its address, left out of menus and search. */
  hidden: boolean;
  keepAlive: boolean;
  /** Pinned in the tags bar. */
  affix: boolean;
  /** False leaves the entry out of the breadcrumb. */
  breadcrumb: boolean;
  /** Menu to mark as chosen while this hidden page is shown. */
  activeMenu: string | null;
  /** Keeps a folder visible as a folder even when it has one child. */
  alwaysShow: boolean;
  children: AppRoute[];
}

/** Where a page file is found by its component key. */
export type PageLoader = () => Promise<{ default: React.ComponentType }>;
export type PageRegistry = Readonly<Record<string, PageLoader>>;

export const homePath = "/index";

export function route(path: string, rest: Partial<AppRoute> = {}): AppRoute {
  return {
    path,
    name: "",
    title: "",
    icon: "",
    component: null,
    frame: null,
    external: false,
    hidden: false,
    keepAlive: true,
    affix: false,
    breadcrumb: true,
    activeMenu: null,
    alwaysShow: false,
    children: [],
    ...rest,
  };
}
