/** The password of every account of the demo university. */
export const password = "Viva@2026";

/** The two universities; their numbers are what the browser keeps as TENANT_ID. */
export const university = { id: 1, name: "青岚大学" } as const;
export const otherUniversity = { name: "临川理工" } as const;

/** The roles whose pages are looked at one by one. */
export const roles = ["admin", "degree01", "secretary01", "advisor01", "student01"] as const;
