export * from "./number";
export * from "./text";
export * from "./time";
export * from "./tree";
