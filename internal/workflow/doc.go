// Package workflow keeps what approval processes are made of: categories, forms, user
// groups, expressions and listeners, the models with their deployed versions, and the
// approval layer: instances, and the tasks that people decide. Wire prefix /bpm.
//
//   - All rows belong to a tenant. Administrators change them; the short lists of
//     enabled rows, which selectors show, are open to everybody signed in.
//   - A category's code is what models refer to: while one does, the category can be
//     neither deleted nor given another code. Models tell through OnCategoryInUse.
//   - A form is stored as the designer made it: conf is the text of a JSON object,
//     fields a list of such texts. No two fields may write the same variable.
//   - A group's members are users of the tenant; older clients call them
//     memberUserIds, newer ones userIds, and both names are answered.
//   - Expressions are checked by package juel when they are saved. A listener of kind
//     class names a handler of the program, announced with Register: no code
//     is ever loaded from what somebody typed.
//   - A model is a draft: it may be unfinished, but its file is always readable. Deploy
//     checks it in the order of the contract (a refusal carries all problems), hands the
//     file to package runtime and stores what belongs to that version besides: form,
//     settings and rules as they were. Nothing of a version changes afterwards but
//     whether it can be started.
//   - Who decides a task: the diagram's candidateStrategy, else the rule stored for the
//     task, else the diagram's assignee and candidates; modules above announce own ways
//     with RegisterAssignRule. People are found when the task opens, in its transaction,
//     and a task has exactly one of them: the assignee alone decides, or an administrator
//     by calls of his own that leave a trace. A task without anybody is nobody's.
//   - An action reads its task under the lock of the process tree (hold), so that nothing
//     it judged by changes before it acts. An instance is shown to whoever is concerned
//     (readable) and does not exist for others.
//   - Modules above begin a process for a business row with Start and hear its end with
//     OnResult, both in one transaction with the row. A module with pages of its own for
//     some steps announces them with Own: it alone decides those, by Decide.
//
// Sub-packages: bpmn reads process files, juel evaluates expressions, engine moves
// tokens, runtime runs them in the caller's transaction.
package workflow
