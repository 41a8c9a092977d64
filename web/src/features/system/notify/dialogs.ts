// What the page of message templates opens on demand.
export { SendDialog } from "./SendDialog";
