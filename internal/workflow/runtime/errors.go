package runtime

import "viva/internal/kernel/errs"

// The refusals of the shell. The approval layer answers its own codes where the
// contract has one.
var (
	ErrNoDefinition    = errs.Define(1009021001, errs.NotFound, "流程定义 {} 不存在，请先发布", "No process definition {}; deploy it first")
	ErrDefinitionPause = errs.Define(1009021002, errs.Conflict, "流程定义 {} 已挂起，不能发起", "Process definition {} is suspended and cannot be started")
	ErrNoInstance      = errs.Define(1009021003, errs.NotFound, "流程实例 {} 不存在", "No process instance {}")
	ErrBusy            = errs.Define(1009021004, errs.Internal, "流程实例 {} 正在执行，处理程序不能操作自己的实例", "Instance {} is being executed; a handler may not command its own instance")
	ErrOtherTree       = errs.Define(1009021005, errs.Internal, "一次操作只能处理一个流程实例及其子流程，{} 不属于它，请改用消息", "One action works on one instance and its children; {} is another. Send it a message")
	ErrBusinessBusy    = errs.Define(1009021006, errs.Conflict, "该业务已有进行中的流程（{} {}），请先结束它", "A process is already running for {} {}; end it first")
	ErrNoReceiver      = errs.Define(1009021007, errs.NotFound, "没有流程在等待消息“{}”（关联键“{}”）", "No process waits for message {} with key {}")
	ErrManyReceivers   = errs.Define(1009021008, errs.Conflict, "有 {} 个流程在等待消息“{}”，请用关联键区分", "{} processes wait for message {}; tell them apart by the correlation key")
	ErrUnreadable      = errs.Define(1009021009, errs.Invalid, "流程文件无法读取：{}", "The process file cannot be read: {}")
	ErrRefused         = errs.Define(1009021010, errs.Invalid, "流程文件有 {} 个问题，第一个：{}", "The process file has {} problems, the first: {}")
	ErrNoProcess       = errs.Define(1009021011, errs.Invalid, "流程文件中没有可执行的流程 {}", "The file holds no executable process {}")
	ErrUnsound         = errs.Define(1009021012, errs.Internal, "流程实例 {} 的状态不一致：{}", "The state of instance {} is inconsistent: {}")
	ErrHandlerFailed   = errs.Define(1009021013, errs.Internal, "处理程序 {} 执行失败：{}", "Handler {} failed: {}")
	ErrStartTimer      = errs.Define(1009021014, errs.Invalid, "开始事件 {} 的定时器不能使用：{}", "The timer of start event {} cannot be used: {}")
)
