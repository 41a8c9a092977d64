export { UserAvatar } from "./navbar/UserAvatar";
export { homePath, type PageLoader, type PageRegistry } from "./routes/types";
export { Shell } from "./Shell";
export { useTabActive, useTabTitle } from "./tabActive";
