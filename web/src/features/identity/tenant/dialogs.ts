// What the page of tenants opens on demand.
export { CreateTenant } from "./CreateTenant";
