import { create } from "zustand";

export type Device = "desktop" | "mobile";

export const sidebarWidth = 230;
export const collapsedWidth = 56;

const STORAGE_KEY = "sidebarStatus";

/**
 * The column of wide screens is open or folded, which the browser remembers; the drawer below
 * 992 px starts closed and is forgotten.
 *
 * | event            | desktop             | mobile           |
 * | ---------------- | ------------------- | ---------------- |
 * | layout created   | open, saved         | closed           |
 * | toggle           | other state, saved  | other state      |
 * | close            | closed              | closed           |
 * | becomes desktop  |                     | as saved         |
 * | becomes mobile   | closed              |                  |
 */
interface SidebarState {
  opened: boolean;
  /** The top menu shows a page without submenu: there is nothing to put into the sidebar. */
  hidden: boolean;
  device: Device;
  /** Folder of the top menu whose children fill the sidebar. */
  topChoice: string | null;
  create: () => void;
  toggle: () => void;
  close: () => void;
  setHidden: (hidden: boolean) => void;
  setDevice: (device: Device) => void;
  chooseTop: (path: string | null) => void;
}

function remembered(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== "0";
}

function remember(opened: boolean): void {
  localStorage.setItem(STORAGE_KEY, opened ? "1" : "0");
}

export const useSidebar = create<SidebarState>()((set, get) => ({
  opened: true,
  hidden: false,
  device: "desktop",
  topChoice: null,
  create: () => {
    remember(true);
    set({ opened: true });
  },
  toggle: () => {
    if (get().hidden) return;
    const opened = !get().opened;
    if (get().device === "desktop") remember(opened);
    set({ opened });
  },
  close: () => set({ opened: false }),
  setHidden: (hidden) => set({ hidden }),
  setDevice: (device) => set({ device, opened: device === "desktop" && remembered() }),
  chooseTop: (topChoice) => set({ topChoice, hidden: topChoice === null }),
}));
