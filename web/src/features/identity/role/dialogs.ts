// What the page of roles opens on demand, fetched together at the first opening.
export { DataScope } from "./DataScope";
export { MenuGrant } from "./MenuGrant";
