/** Where the application lives: "/" or "/viva/", written into index.html by the server. */
function readBasePath(): string {
  const meta = document.querySelector('meta[name="viva-base"]');
  const path = meta?.getAttribute("content") || "/";
  return path.endsWith("/") ? path : `${path}/`;
}

export const basePath = readBasePath();

/** Prefix of every call to the server, without a slash at the end. */
export const apiBase = `${basePath}admin-api`;

/** Address of a route for full page loads, e.g. after a lost session: `/viva/index`. */
export function routeAddress(route: string): string {
  return basePath + route.replace(/^\/+/, "");
}
