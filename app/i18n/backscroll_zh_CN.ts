<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>About</name>
    <message>
        <source>Backscroll never looks for a newer version by itself. Newer ones are where you got this one, and each says what changed.</source>
        <translation>Backscroll 从不自行检查新版本。新版本就在你获得本程序的地方，每一版都写明了改动。</translation>
    </message>
    <message>
        <source>It is free software under the MIT licence.</source>
        <translation>本程序是采用 MIT 许可证的自由软件。</translation>
    </message>
    <message>
        <source>The works of others in it, and their licences: {file}</source>
        <translation>其中所含的他人作品及其许可证：{file}</translation>
    </message>
</context>
<context>
    <name>AskPage</name>
    <message>
        <source>Ask your own chats</source>
        <translation>向自己的聊天记录提问</translation>
    </message>
    <message>
        <source>Backscroll reads the exports of your chat apps, on this computer alone. Try it on an invented archive first, or drop your own exports anywhere on this window.</source>
        <translation>Backscroll 只在这台电脑上读取聊天应用导出的记录。可以先用一份虚构的存档试试，也可以把自己的导出文件拖到窗口的任意位置。</translation>
    </message>
    <message>
        <source>&amp;Load the sample archive</source>
        <translation>载入示例存档(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Import your own…</source>
        <translation>导入自己的记录(&amp;I)…</translation>
    </message>
    <message>
        <source>There is no model yet: answers are lists of the messages that were found.</source>
        <translation>还没有模型：回答只会列出找到的消息。</translation>
    </message>
    <message>
        <source>&amp;Get a model</source>
        <translation>获取模型(&amp;G)</translation>
    </message>
    <message>
        <source>Save the answer</source>
        <translation>保存回答</translation>
    </message>
    <message>
        <source>The answer could not be saved.</source>
        <translation>回答无法保存。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>Asked</name>
    <message>
        <source>Show the answer to: {question}</source>
        <translation>显示此问题的回答：{question}</translation>
    </message>
    <message>
        <source>Delete this question</source>
        <translation>删除此问题</translation>
    </message>
</context>
<context>
    <name>Asking</name>
    <message>
        <source>Searching your chats…</source>
        <translation>正在搜索聊天记录…</translation>
    </message>
    <message>
        <source>Writing the answer…</source>
        <translation>正在写回答…</translation>
    </message>
    <message>
        <source>Reading what was found… {part} %</source>
        <translation>正在阅读找到的内容… {part}%</translation>
    </message>
    <message>
        <source>Looking for messages</source>
        <translation>正在查找消息</translation>
    </message>
    <message>
        <source>Reading the messages</source>
        <translation>正在阅读消息</translation>
    </message>
    <message>
        <source>Searching for {words}…</source>
        <translation>正在搜索 {words}…</translation>
    </message>
    <message>
        <source>Waiting until the task before is done…</source>
        <translation>正在等待前一项任务完成…</translation>
    </message>
</context>
<context>
    <name>ChatsPage</name>
    <message>
        <source>Find a chat by name, person or app</source>
        <translation>按名称、联系人或应用查找聊天</translation>
    </message>
    <message>
        <source>Find a chat</source>
        <translation>查找聊天</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
</context>
<context>
    <name>Checklist</name>
    <message>
        <source>&amp;Clear</source>
        <translation>清除(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完成(&amp;D)</translation>
    </message>
</context>
<context>
    <name>Columns</name>
    <message>
        <source>Words</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>Sender</source>
        <translation>发送者</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Day, where it has a column of its own</source>
        <translation>日期(单独一列时)</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>What the columns mean</source>
        <translation>各列的含义</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask about your chats…</source>
        <translation>就你的聊天记录提问…</translation>
    </message>
    <message>
        <source>Your question</source>
        <translation>你的问题</translation>
    </message>
    <message>
        <source>&amp;Ask</source>
        <translation>提问(&amp;A)</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>停止(&amp;T)</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止 (Esc)</translation>
    </message>
</context>
<context>
    <name>Dates</name>
    <message>
        <source>&amp;From</source>
        <translation>从(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;To</source>
        <translation>到(&amp;T)</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 天</translation>
    </message>
    <message>
        <source>A year</source>
        <translation>一年</translation>
    </message>
    <message>
        <source>Dates</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>清除(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Done</source>
        <translation>完成(&amp;D)</translation>
    </message>
</context>
<context>
    <name>EngineNotice</name>
    <message>
        <source>Start it &amp;again</source>
        <translation>重新启动(&amp;A)</translation>
    </message>
    <message>
        <source>The engine is running again.</source>
        <translation>引擎已恢复运行。</translation>
    </message>
    <message>
        <source>It uses safe settings now: fewer threads and less memory.</source>
        <translation>现在使用安全设置：更少的线程和内存。</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly and is starting again. Nothing that was stored is lost.</source>
        <translation>引擎意外停止，正在重新启动。已保存的内容没有丢失。</translation>
    </message>
    <message>
        <source>The engine could not be kept running.</source>
        <translation>引擎无法保持运行。</translation>
    </message>
    <message>
        <source>If starting it again does not help, choose a smaller model.</source>
        <translation>如果重新启动没有用，请选择更小的模型。</translation>
    </message>
</context>
<context>
    <name>EngineWords</name>
    <message>
        <source>en</source>
        <translation>zh_CN</translation>
    </message>
</context>
<context>
    <name>ErrorBox</name>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>Backscroll could not do that.</source>
        <translation>Backscroll 无法完成此操作。</translation>
    </message>
    <message>
        <source>The details say why, and what to change.</source>
        <translation>详情中说明了原因和需要更改的内容。</translation>
    </message>
    <message>
        <source>The archive is locked.</source>
        <translation>存档已锁定。</translation>
    </message>
    <message>
        <source>Enter the passphrase, or use the recovery key.</source>
        <translation>请输入密码短语，或使用恢复密钥。</translation>
    </message>
    <message>
        <source>The archive&apos;s key is lost.</source>
        <translation>存档的密钥已丢失。</translation>
    </message>
    <message>
        <source>Restore a backup, or erase the archive and import your exports again.</source>
        <translation>请恢复备份，或清除存档后重新导入你的导出文件。</translation>
    </message>
    <message>
        <source>Another Backscroll is using this archive.</source>
        <translation>另一个 Backscroll 正在使用此存档。</translation>
    </message>
    <message>
        <source>Close the other Backscroll window or command and try again.</source>
        <translation>请关闭另一个 Backscroll 窗口或命令，然后重试。</translation>
    </message>
    <message>
        <source>This archive was written by a newer Backscroll.</source>
        <translation>此存档由更新版本的 Backscroll 写入。</translation>
    </message>
    <message>
        <source>Install the newer version again; the archive was not changed.</source>
        <translation>请重新安装较新的版本；存档没有被改动。</translation>
    </message>
    <message>
        <source>The archive cannot be read.</source>
        <translation>无法读取存档。</translation>
    </message>
    <message>
        <source>Restore a backup, or import your exports again into a new archive.</source>
        <translation>请恢复备份，或把导出文件重新导入新的存档。</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>磁盘已满。</translation>
    </message>
    <message>
        <source>Free some space and try again; nothing that was stored is lost.</source>
        <translation>请腾出一些空间后重试；已保存的内容没有丢失。</translation>
    </message>
    <message>
        <source>The data folder cannot be written.</source>
        <translation>无法写入数据文件夹。</translation>
    </message>
    <message>
        <source>Check the folder&apos;s permissions and try again.</source>
        <translation>请检查该文件夹的权限，然后重试。</translation>
    </message>
    <message>
        <source>What you asked for is no longer in the archive.</source>
        <translation>你要的内容已不在存档中。</translation>
    </message>
    <message>
        <source>Check the name and try again.</source>
        <translation>请检查名称后重试。</translation>
    </message>
    <message>
        <source>There are messages here already, so the backup was not put in their place.</source>
        <translation>这里已经有消息，所以没有用备份替换它们。</translation>
    </message>
    <message>
        <source>Restore it into another folder, or replace what is here on the command line.</source>
        <translation>请恢复到另一个文件夹，或在命令行中替换这里的内容。</translation>
    </message>
    <message>
        <source>There is no model to write an answer with.</source>
        <translation>没有可用来写回答的模型。</translation>
    </message>
    <message>
        <source>Get one on the Models page. Search works without a model.</source>
        <translation>请在“模型”页获取一个。搜索不需要模型。</translation>
    </message>
    <message>
        <source>The model could not write an answer.</source>
        <translation>模型无法写出回答。</translation>
    </message>
    <message>
        <source>Try again, or choose another model on the Models page.</source>
        <translation>请重试，或在“模型”页选择其他模型。</translation>
    </message>
    <message>
        <source>The file is not a model that can be used.</source>
        <translation>该文件不是可用的模型。</translation>
    </message>
    <message>
        <source>Choose another GGUF file, or get the model again.</source>
        <translation>请选择其他 GGUF 文件，或重新获取该模型。</translation>
    </message>
    <message>
        <source>The model does not fit in the free memory.</source>
        <translation>可用内存放不下该模型。</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model on the Models page.</source>
        <translation>请关闭其他程序，或在“模型”页选择更小的模型。</translation>
    </message>
    <message>
        <source>The question is too long for the model.</source>
        <translation>问题太长，模型无法处理。</translation>
    </message>
    <message>
        <source>Ask a shorter question, or narrow the search with the filters.</source>
        <translation>请缩短问题，或用筛选条件缩小范围。</translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly and is starting again.</source>
        <translation>引擎意外停止，正在重新启动。</translation>
    </message>
    <message>
        <source>Nothing that was stored is lost. Try again in a moment.</source>
        <translation>已保存的内容没有丢失。请稍后重试。</translation>
    </message>
    <message>
        <source>The engine could not be kept running.</source>
        <translation>引擎无法保持运行。</translation>
    </message>
    <message>
        <source>Start it again below. If that does not help, choose a smaller model.</source>
        <translation>请在下方重新启动。如果没有用，请选择更小的模型。</translation>
    </message>
    <message>
        <source>This version of the engine cannot do that.</source>
        <translation>此版本的引擎不支持该操作。</translation>
    </message>
    <message>
        <source>Install the window and the engine of the same version.</source>
        <translation>请安装版本相同的窗口和引擎。</translation>
    </message>
    <message>
        <source>Something went wrong inside Backscroll.</source>
        <translation>Backscroll 内部出错了。</translation>
    </message>
    <message>
        <source>Try again. If it happens again, the details below help to report it.</source>
        <translation>请重试。如果再次发生，下面的详细信息有助于报告问题。</translation>
    </message>
</context>
<context>
    <name>Exchange</name>
    <message>
        <source>Working</source>
        <translation>正在处理</translation>
    </message>
    <message>
        <source>Found so far</source>
        <translation>目前找到的内容</translation>
    </message>
    <message>
        <source>What was searched</source>
        <translation>搜索了什么</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Understood as: {question}</source>
        <translation>理解为：{question}</translation>
    </message>
    <message>
        <source>not supported by what was found</source>
        <translation>找到的内容不支持这一说法</translation>
    </message>
    <message>
        <source>could not be checked</source>
        <translation>无法核实</translation>
    </message>
    <message>
        <source>Found: {places}</source>
        <translation>找到：{places}</translation>
    </message>
    <message>
        <source>The answer is ready.</source>
        <translation>回答已就绪。</translation>
    </message>
    <message>
        <source>Parts of this answer could not be checked against your messages. Read them with care.</source>
        <translation>此回答有一部分无法与你的消息核对，请谨慎看待。</translation>
    </message>
    <message>
        <source>This is not in your chats, as far as I can find.</source>
        <translation>就我所能找到的，你的聊天记录里没有这个内容。</translation>
    </message>
    <message>
        <source>This came closest:</source>
        <translation>最接近的是：</translation>
    </message>
    <message>
        <source>Found until then</source>
        <translation>停止前找到的内容</translation>
    </message>
    <message>
        <source>Stopped. What was found until then is kept.</source>
        <translation>已停止。之前找到的内容已保留。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>搜索全部内容</translation>
    </message>
    <message>
        <source>Answer again, thoroughly</source>
        <translation>更彻底地重新回答</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>could not be checked</source>
        <translation>无法核实</translation>
    </message>
    <message>
        <source>Not found in the chats.</source>
        <translation>聊天记录中没有找到。</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>What came close</source>
        <translation>接近的内容</translation>
    </message>
</context>
<context>
    <name>FilterBar</name>
    <message>
        <source>People</source>
        <translation>联系人</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Apps</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Dates</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Clear filters</source>
        <translation>清除筛选</translation>
    </message>
</context>
<context>
    <name>Find</name>
    <message>
        <source>Find in this chat</source>
        <translation>在此聊天中查找</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>第 {n} 个，共 {all} 个</translation>
    </message>
</context>
<context>
    <name>Gui</name>
    <message>
        <source>The folder {home} cannot be written.</source>
        <translation>无法写入文件夹 {home}。</translation>
    </message>
</context>
<context>
    <name>HelpDialog</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>Search your questions and their answers</source>
        <translation>搜索你的问题及其回答</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>没有找到。</translation>
    </message>
    <message>
        <source>&amp;Delete all…</source>
        <translation>全部删除(&amp;D)…</translation>
    </message>
    <message>
        <source>Asked before</source>
        <translation>以前问过</translation>
    </message>
    <message>
        <source>Delete all questions and their answers for good? Your chats stay.</source>
        <translation>要永久删除所有问题及其回答吗？聊天记录会保留。</translation>
    </message>
</context>
<context>
    <name>Import</name>
    <message>
        <source>day first: 04/03 is 4 March</source>
        <translation>日在前：04/03 是 3 月 4 日</translation>
    </message>
    <message>
        <source>month first: 04/03 is 3 April</source>
        <translation>月在前：04/03 是 4 月 3 日</translation>
    </message>
    <message>
        <source>year first: 2024/03/04 is 4 March</source>
        <translation>年在前：2024/03/04 是 3 月 4 日</translation>
    </message>
    <message>
        <source>Line {n}: {reason}</source>
        <translation>第 {n} 行：{reason}</translation>
    </message>
    <message>
        <source>and {n} more</source>
        <translation>还有 {n} 条</translation>
    </message>
    <message>
        <source>Dates: {order}.</source>
        <translation>日期：{order}。</translation>
    </message>
</context>
<context>
    <name>ImportPage</name>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Your exports are read where they lie and never changed.</source>
        <translation>导出文件在原处读取，绝不改动。</translation>
    </message>
    <message>
        <source>Looking at the files</source>
        <translation>正在查看文件</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>正在导入</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>Go &amp;on</source>
        <translation>继续(&amp;O)</translation>
    </message>
    <message>
        <source>Taking an import back</source>
        <translation>正在撤回导入</translation>
    </message>
    <message>
        <source>Taken back: {messages}</source>
        <translation>已撤回：{messages}</translation>
    </message>
    <message>
        <source>Nothing was found there that Backscroll can read.</source>
        <translation>那里没有 Backscroll 能读取的内容。</translation>
    </message>
    <message>
        <source>See below how to export from your apps.</source>
        <translation>请看下方如何从各应用导出。</translation>
    </message>
    <message>
        <source>{n} files recognised</source>
        <translation>识别了 {n} 个文件</translation>
    </message>
</context>
<context>
    <name>ImportStart</name>
    <message>
        <source>Drop files, folders or zips anywhere on this window</source>
        <translation>把文件、文件夹或 zip 拖到窗口的任意位置</translation>
    </message>
    <message>
        <source>Choose &amp;files…</source>
        <translation>选择文件(&amp;F)…</translation>
    </message>
    <message>
        <source>Choose a f&amp;older…</source>
        <translation>选择文件夹(&amp;O)…</translation>
    </message>
    <message>
        <source>How to export from your apps</source>
        <translation>如何从各应用导出</translation>
    </message>
    <message>
        <source>Choose exports</source>
        <translation>选择导出文件</translation>
    </message>
    <message>
        <source>Choose a folder of exports</source>
        <translation>选择导出文件夹</translation>
    </message>
</context>
<context>
    <name>LockCard</name>
    <message>
        <source>Set a &amp;passphrase…</source>
        <translation>设置密码短语(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Remove the passphrase</source>
        <translation>移除密码短语(&amp;R)</translation>
    </message>
    <message>
        <source>Lock &amp;now</source>
        <translation>立即锁定(&amp;N)</translation>
    </message>
    <message>
        <source>Make a reco&amp;very key…</source>
        <translation>生成恢复密钥(&amp;V)…</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>A passphrase opens the archive.</source>
        <translation>打开存档需要密码短语。</translation>
    </message>
    <message>
        <source>The archive opens without a passphrase.</source>
        <translation>打开存档不需要密码短语。</translation>
    </message>
    <message>
        <source>There is a recovery key.</source>
        <translation>已有恢复密钥。</translation>
    </message>
    <message>
        <source>There is no recovery key yet.</source>
        <translation>还没有恢复密钥。</translation>
    </message>
    <message>
        <source>Change the &amp;passphrase…</source>
        <translation>更改密码短语(&amp;P)…</translation>
    </message>
</context>
<context>
    <name>Machine</name>
    <message>
        <source>code for {variant}</source>
        <translation>针对 {variant} 的代码</translation>
    </message>
    <message>
        <source>{threads} on {cores} cores</source>
        <translation>{threads} 个，共 {cores} 个核心</translation>
    </message>
    <message>
        <source>safe settings after a crash</source>
        <translation>崩溃后的安全设置</translation>
    </message>
    <message>
        <source>None: answers are lists of what was found.</source>
        <translation>无：回答是找到的消息列表。</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>已在内存中</translation>
    </message>
    <message>
        <source>is opened by a question</source>
        <translation>提问时打开</translation>
    </message>
</context>
<context>
    <name>MachineCard</name>
    <message>
        <source>What runs now</source>
        <translation>当前运行情况</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Speed measured here</source>
        <translation>在本机测得的速度</translation>
    </message>
    <message>
        <source>Not yet: “Try it out” measures it.</source>
        <translation>尚未测量：“试用”会测量。</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Progress of {model}</source>
        <translation>{model} 的进度</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>已在这台电脑上</translation>
    </message>
    <message>
        <source>Get…</source>
        <translation>获取…</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Try it out (a minute)</source>
        <translation>试用（一分钟）</translation>
    </message>
    <message>
        <source>Check the file</source>
        <translation>检查文件</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Fits this computer</source>
        <translation>适合这台电脑</translation>
    </message>
    <message>
        <source>Tight on this computer</source>
        <translation>在这台电脑上较吃紧</translation>
    </message>
    <message>
        <source>Will not fit in the free memory</source>
        <translation>可用内存放不下</translation>
    </message>
    <message>
        <source>Good for quick answers on this computer.</source>
        <translation>在这台电脑上适合快速回答。</translation>
    </message>
    <message>
        <source>Good for thorough answers on this computer.</source>
        <translation>在这台电脑上适合深入回答。</translation>
    </message>
    <message>
        <source>Its answers were often wrong: read the messages that are found, or choose a larger model.</source>
        <translation>它的回答经常出错：请阅读找到的消息，或选择更大的模型。</translation>
    </message>
    <message>
        <source>Too few answers in a minute to judge it: it is slow here, or the computer was busy.</source>
        <translation>一分钟内的回答太少，无法判断：它在这里很慢，或电脑正忙。</translation>
    </message>
    <message>
        <source>Opening the model</source>
        <translation>正在打开模型</translation>
    </message>
    <message>
        <source>Measuring its speed</source>
        <translation>正在测量速度</translation>
    </message>
    <message>
        <source>Asking a question about the sample archive, quickly</source>
        <translation>正在就示例存档提问（快速）</translation>
    </message>
    <message>
        <source>Asking a question about the sample archive, thoroughly</source>
        <translation>正在就示例存档提问（深入）</translation>
    </message>
    <message>
        <source>Reading the file</source>
        <translation>正在读取文件</translation>
    </message>
    <message>
        <source>Checking the file</source>
        <translation>正在检查文件</translation>
    </message>
    <message>
        <source>needs {needed} of memory, {free} free</source>
        <translation>需要 {needed} 内存，可用 {free}</translation>
    </message>
    <message>
        <source>Reads about {read} words a second and writes about {written}.</source>
        <translation>每秒约读 {read} 个词，写 {written} 个词。</translation>
    </message>
    <message>
        <source>{mode}: {right} of {asked} right, {time} each.</source>
        <translation>{mode}：{asked} 题答对 {right} 题，每题 {time}。</translation>
    </message>
    <message>
        <source>Tried out on {date}.</source>
        <translation>试用于 {date}。</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Thorough</source>
        <translation>深入</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>A model writes the answers, on this computer alone. Search works without one. Drop a GGUF file anywhere on this window to add your own.</source>
        <translation>模型只在这台电脑上写回答。搜索不需要模型。把 GGUF 文件拖到窗口的任意位置即可添加自己的模型。</translation>
    </message>
    <message>
        <source>&amp;Add a model file…</source>
        <translation>添加模型文件(&amp;A)…</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在载入…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在开始…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>The file is whole and can be used.</source>
        <translation>文件完整，可以使用。</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Download {model} ({size})?

This is the only time that Backscroll uses the network. Nothing of your chats is sent. A download that breaks off goes on where it was.</source>
        <translation>要下载 {model}（{size}）吗？

Backscroll 只在这时使用网络，不会发送任何聊天内容。下载中断后会从原处继续。</translation>
    </message>
    <message>
        <source>Remove the file of {model} from this computer?</source>
        <translation>要从这台电脑移除 {model} 的文件吗？</translation>
    </message>
    <message>
        <source>Choose a model file</source>
        <translation>选择模型文件</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>模型 (*.gguf)</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>聊天</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>Network</name>
    <message>
        <source>This system does not tell.</source>
        <translation>此系统不提供该信息。</translation>
    </message>
    <message>
        <source>Since {time}: {n} connections, other than the downloads below.</source>
        <translation>自 {time} 起：{n} 个连接，不含下面的下载。</translation>
    </message>
    <message>
        <source>None since the start at {time}.</source>
        <translation>自 {time} 启动以来没有连接。</translation>
    </message>
    <message>
        <source>{n} opened since the start</source>
        <translation>启动以来打开 {n} 个</translation>
    </message>
    <message>
        <source>{n} open now</source>
        <translation>当前打开 {n} 个</translation>
    </message>
    <message>
        <source>The kernel refuses it every connection (Seccomp: 2 for process {process}).</source>
        <translation>内核拒绝它的任何连接（进程 {process} 的 Seccomp: 2）。</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>无。</translation>
    </message>
    <message>
        <source>Switch the network off: everything but getting a model works as before.</source>
        <translation>断开网络：除获取模型外，一切照常工作。</translation>
    </message>
    <message>
        <source>Linux: “Seccomp: 2” means that the kernel refuses the engine the network.</source>
        <translation>Linux：“Seccomp: 2”表示内核拒绝引擎使用网络。</translation>
    </message>
    <message>
        <source>Linux: watch the network calls of a search. Every line says AF_UNIX.</source>
        <translation>Linux：观察一次搜索的网络调用。每一行都是 AF_UNIX。</translation>
    </message>
    <message>
        <source>Linux: search the folder for a rare word of your chats. Nothing is found.</source>
        <translation>Linux：在文件夹中搜索你聊天里的一个少见的词。什么也找不到。</translation>
    </message>
</context>
<context>
    <name>NetworkCard</name>
    <message>
        <source>Network connections</source>
        <translation>网络连接</translation>
    </message>
    <message>
        <source>The window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>The engine, which reads your chats</source>
        <translation>读取你聊天的引擎</translation>
    </message>
    <message>
        <source>Downloads of models that you asked for</source>
        <translation>你要求的模型下载</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>重新查看(&amp;L)</translation>
    </message>
    <message>
        <source>How to check it yourself</source>
        <translation>如何自行验证</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
</context>
<context>
    <name>OverviewPage</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>显示(&amp;W)</translation>
    </message>
    <message>
        <source>Show all chats or one</source>
        <translation>显示全部聊天或其中一个</translation>
    </message>
    <message>
        <source>Messages by month</source>
        <translation>每月消息数</translation>
    </message>
    <message>
        <source>Messages by hour of the day</source>
        <translation>一天中各小时的消息数</translation>
    </message>
    <message>
        <source>By month</source>
        <translation>按月</translation>
    </message>
    <message>
        <source>By hour of the day</source>
        <translation>按一天中的小时</translation>
    </message>
    <message>
        <source>Apps</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>First message {first}, last message {last}</source>
        <translation>第一条消息 {first}，最后一条消息 {last}</translation>
    </message>
    <message>
        <source>People: {names}</source>
        <translation>人物：{names}</translation>
    </message>
    <message>
        <source>All chats</source>
        <translation>全部聊天</translation>
    </message>
</context>
<context>
    <name>PassphraseDialog</name>
    <message>
        <source>Passphrase</source>
        <translation>密码短语</translation>
    </message>
    <message>
        <source>&amp;New passphrase</source>
        <translation>新密码短语(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Once more</source>
        <translation>再输入一次(&amp;O)</translation>
    </message>
    <message>
        <source>From then on Backscroll asks for it when it starts. Nobody can open the archive without it, so make a recovery key as well.</source>
        <translation>此后 Backscroll 启动时会要求输入它。没有它谁也无法打开存档，所以请另外生成一个恢复密钥。</translation>
    </message>
    <message>
        <source>At least {n} letters.</source>
        <translation>至少 {n} 个字符。</translation>
    </message>
    <message>
        <source>The two are not the same yet.</source>
        <translation>两次输入还不一致。</translation>
    </message>
</context>
<context>
    <name>PastImports</name>
    <message>
        <source>Show &amp;all</source>
        <translation>全部显示(&amp;A)</translation>
    </message>
    <message>
        <source>Imported before</source>
        <translation>以前导入的内容</translation>
    </message>
    <message>
        <source>Skipped lines and remarks</source>
        <translation>略去的行和说明</translation>
    </message>
    <message>
        <source>Look at it again…</source>
        <translation>重新查看…</translation>
    </message>
    <message>
        <source>Shows the file as before its import; its dates can be read in another order.</source>
        <translation>像导入前一样显示文件；可以改用另一种日期顺序。</translation>
    </message>
    <message>
        <source>Take it back…</source>
        <translation>撤回…</translation>
    </message>
    <message>
        <source>Take an import back</source>
        <translation>撤回导入</translation>
    </message>
    <message>
        <source>Take back the import of “{name}”?

The messages that it brought are deleted from the archive, and answers that rest on them too. The export file is not touched; importing it again brings them back.</source>
        <translation>要撤回“{name}”的导入吗？

它带来的消息会从存档中删除，以这些消息为依据的回答也会删除。导出文件不受影响；重新导入即可恢复。</translation>
    </message>
    <message>
        <source>&amp;Take it back</source>
        <translation>撤回(&amp;T)</translation>
    </message>
</context>
<context>
    <name>PeopleList</name>
    <message>
        <source>People</source>
        <translation>联系人</translation>
    </message>
    <message>
        <source>{name}, also {names}</source>
        <translation>{name},又名 {names}</translation>
    </message>
    <message>
        <source>Take apart</source>
        <translation>拆分</translation>
    </message>
</context>
<context>
    <name>PreviewCard</name>
    <message>
        <source>It is not an export that Backscroll knows.</source>
        <translation>这不是 Backscroll 认识的导出文件。</translation>
    </message>
    <message>
        <source>Not recognised.</source>
        <translation>未识别。</translation>
    </message>
    <message>
        <source>{n} contacts: numbers get the names of people</source>
        <translation>{n} 位联系人:号码将显示为姓名</translation>
    </message>
    <message>
        <source>Chats: {names}</source>
        <translation>聊天：{names}</translation>
    </message>
    <message>
        <source>Remarks: {lines}</source>
        <translation>备注：{lines}</translation>
    </message>
    <message>
        <source>Please check the dates.</source>
        <translation>请核对日期。</translation>
    </message>
    <message>
        <source>Dates: {order}</source>
        <translation>日期：{order}</translation>
    </message>
</context>
<context>
    <name>PreviewPanel</name>
    <message>
        <source>&amp;You are</source>
        <translation>你是(&amp;Y)</translation>
    </message>
    <message>
        <source>Time &amp;zone of the export</source>
        <translation>导出所用的时区(&amp;Z)</translation>
    </message>
    <message>
        <source>Which of these people you are</source>
        <translation>这些人中哪一位是你</translation>
    </message>
    <message>
        <source>Time zone of the export</source>
        <translation>导出所用的时区</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>导入(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>None of these people</source>
        <translation>都不是</translation>
    </message>
    <message>
        <source>As this computer has it</source>
        <translation>与这台电脑相同</translation>
    </message>
</context>
<context>
    <name>PrivacyPage</name>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Everything stays on this computer. There is no account, and nothing is sent anywhere.</source>
        <translation>一切都留在这台电脑上。没有账号，也不会向任何地方发送内容。</translation>
    </message>
    <message>
        <source>Where everything lies</source>
        <translation>存放位置</translation>
    </message>
    <message>
        <source>How it is protected</source>
        <translation>保护方式</translation>
    </message>
    <message>
        <source>&amp;Open the folder</source>
        <translation>打开文件夹(&amp;O)</translation>
    </message>
    <message>
        <source>Check the &amp;archive</source>
        <translation>检查存档(&amp;A)</translation>
    </message>
    <message>
        <source>Erase for good</source>
        <translation>永久删除</translation>
    </message>
    <message>
        <source>Erased chats cannot be brought back. Your export files are not touched.</source>
        <translation>删除的聊天无法找回。你的导出文件不受影响。</translation>
    </message>
    <message>
        <source>The chat to erase</source>
        <translation>要删除的聊天</translation>
    </message>
    <message>
        <source>Erase this &amp;chat…</source>
        <translation>删除此聊天(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Erase everything…</source>
        <translation>删除全部(&amp;E)…</translation>
    </message>
    <message>
        <source>Is everything whole?</source>
        <translation>一切都完整吗？</translation>
    </message>
    <message>
        <source>Counts every message again and holds the search index against them.</source>
        <translation>重新清点每条消息，并与搜索索引核对。</translation>
    </message>
    <message>
        <source>Not encrypted: your login and the disk&apos;s own encryption protect it.</source>
        <translation>未加密：由你的登录和磁盘加密保护。</translation>
    </message>
    <message>
        <source>Encrypted. The key is in the system&apos;s keyring.</source>
        <translation>已加密。密钥在系统的密钥环中。</translation>
    </message>
    <message>
        <source>Encrypted. The key is a file that only you can read, beside the archive.</source>
        <translation>已加密。密钥是存档旁只有你能读取的文件。</translation>
    </message>
    <message>
        <source>Encrypted with your passphrase.</source>
        <translation>已用你的密码短语加密。</translation>
    </message>
    <message>
        <source>Encrypted.</source>
        <translation>已加密。</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>The archive is sound.</source>
        <translation>存档完好。</translation>
    </message>
    <message>
        <source>The archive has faults:</source>
        <translation>存档有以下问题：</translation>
    </message>
    <message>
        <source>Erase the chat “{chat}” for good?</source>
        <translation>要永久删除聊天“{chat}”吗？</translation>
    </message>
    <message>
        <source>Erase all chats, the search index and the key, for good?</source>
        <translation>要永久删除全部聊天、搜索索引和密钥吗？</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>&amp;Erase</source>
        <translation>删除(&amp;E)</translation>
    </message>
</context>
<context>
    <name>Reader</name>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>返回 (Alt+←)</translation>
    </message>
    <message>
        <source>Jump to a date</source>
        <translation>跳到某个日期</translation>
    </message>
    <message>
        <source>Find in this chat (Ctrl+F)</source>
        <translation>在此聊天中查找 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Close the chat</source>
        <translation>关闭聊天</translation>
    </message>
    <message>
        <source>Messages of {chat}</source>
        <translation>{chat} 的消息</translation>
    </message>
</context>
<context>
    <name>RecoveryKeyDialog</name>
    <message>
        <source>Recovery key</source>
        <translation>恢复密钥</translation>
    </message>
    <message>
        <source>Write it down and keep it away from this computer. It opens the archive when the passphrase or the keyring is lost. It is shown only now; an older recovery key no longer works.</source>
        <translation>请把它写下来，并存放在这台电脑以外的地方。密码短语或密钥环丢失时，可以用它打开存档。它只在现在显示一次；旧的恢复密钥不再有效。</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Save the recovery key</source>
        <translation>保存恢复密钥</translation>
    </message>
    <message>
        <source>The recovery key could not be saved.</source>
        <translation>无法保存恢复密钥。</translation>
    </message>
    <message>
        <source>Saved. Move the file to another place than this computer.</source>
        <translation>已保存。请把该文件移到这台电脑以外的地方。</translation>
    </message>
</context>
<context>
    <name>RecoveryOffer</name>
    <message>
        <source>A key for the day the keyring is lost</source>
        <translation>为密钥环丢失的那一天准备一把钥匙</translation>
    </message>
    <message>
        <source>If this computer&apos;s keyring is ever lost, as by a new installation, a recovery key that you wrote down is the only way to open your chats.</source>
        <translation>如果这台电脑的密钥环有一天丢失（例如重装系统），你写下的恢复密钥就是打开聊天记录的唯一途径。</translation>
    </message>
    <message>
        <source>Make a recovery &amp;key…</source>
        <translation>生成恢复密钥(&amp;K)…</translation>
    </message>
    <message>
        <source>&amp;Remind me later</source>
        <translation>以后提醒我(&amp;R)</translation>
    </message>
    <message>
        <source>I do&amp;n&apos;t want one</source>
        <translation>我不需要(&amp;N)</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>{n} new</source>
        <translation>新增 {n} 条</translation>
    </message>
    <message>
        <source>{n} already there</source>
        <translation>已有 {n} 条</translation>
    </message>
    <message>
        <source>{n} notices of the app</source>
        <translation>应用提示 {n} 条</translation>
    </message>
    <message>
        <source>{n} notice of the app</source>
        <translation>应用提示 {n} 条</translation>
    </message>
    <message>
        <source>{lines} skipped</source>
        <translation>跳过 {lines}</translation>
    </message>
    <message>
        <source>Imported</source>
        <translation>已导入</translation>
    </message>
    <message>
        <source>Imported in part</source>
        <translation>部分导入</translation>
    </message>
    <message>
        <source>Not imported</source>
        <translation>未导入</translation>
    </message>
    <message>
        <source>Not recognised</source>
        <translation>未识别</translation>
    </message>
    <message>
        <source>{n} contacts; {named} people got their name</source>
        <translation>{n} 位联系人;{named} 人已显示姓名</translation>
    </message>
</context>
<context>
    <name>ReportPanel</name>
    <message>
        <source>&amp;Ask a question</source>
        <translation>提一个问题(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Save the report…</source>
        <translation>保存报告(&amp;S)…</translation>
    </message>
    <message>
        <source>Import &amp;more</source>
        <translation>继续导入(&amp;M)</translation>
    </message>
    <message>
        <source>Import finished: {messages}</source>
        <translation>导入完成：{messages}</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>The report could not be saved.</source>
        <translation>报告无法保存。</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>请选择其他文件夹。</translation>
    </message>
</context>
<context>
    <name>ReportView</name>
    <message>
        <source>Skipped lines and remarks</source>
        <translation>跳过的行和备注</translation>
    </message>
</context>
<context>
    <name>SamePeople</name>
    <message>
        <source>The phone numbers are the same.</source>
        <translation>电话号码相同。</translation>
    </message>
    <message>
        <source>The names differ only in how they are written.</source>
        <translation>名字只是写法不同。</translation>
    </message>
    <message>
        <source>You write under these names.</source>
        <translation>你用这些名字发消息。</translation>
    </message>
    <message>
        <source>One name is a part of the other.</source>
        <translation>其中一个名字是另一个的一部分。</translation>
    </message>
    <message>
        <source>Are these the same person?</source>
        <translation>这些是同一个人吗？</translation>
    </message>
    <message>
        <source>One person</source>
        <translation>是同一个人</translation>
    </message>
    <message>
        <source>Different people</source>
        <translation>不是同一个人</translation>
    </message>
</context>
<context>
    <name>SearchPage</name>
    <message>
        <source>Search messages, for example: boiler from:Mum after:2024-01</source>
        <translation>搜索消息，例如：锅炉 from:妈妈 after:2024-01</translation>
    </message>
    <message>
        <source>Search messages</source>
        <translation>搜索消息</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>搜索结果</translation>
    </message>
    <message>
        <source>Search every chat at once</source>
        <translation>同时搜索所有聊天</translation>
    </message>
    <message>
        <source>Results appear as you type. Narrow them with the chips above, or type from:Name, in:Chat, app:WhatsApp, after:2024-01 and before:2024-06-15. Put names with spaces in quotation marks.</source>
        <translation>边输入边出结果。可用上方的筛选条件缩小范围，或输入 from:姓名、in:聊天、app:WhatsApp、after:2024-01 和 before:2024-06-15。带空格的名称请加引号。</translation>
    </message>
    <message>
        <source>Remove a filter to search more.</source>
        <translation>去掉一个筛选条件可以搜索更多内容。</translation>
    </message>
    <message>
        <source>Try another word.</source>
        <translation>换一个词试试。</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>没有找到。</translation>
    </message>
    <message>
        <source>The best {n} places</source>
        <translation>最相关的 {n} 处</translation>
    </message>
    <message>
        <source>The best {n} of {all} places</source>
        <translation>最佳 {n} 处，共 {all} 处</translation>
    </message>
    <message>
        <source>{n} ms</source>
        <translation>{n} 毫秒</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Light or dark, or as the system has it.</source>
        <translation>浅色、深色，或跟随系统。</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>The size of all text in the window.</source>
        <translation>窗口中所有文字的大小。</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>小</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>Large</source>
        <translation>大</translation>
    </message>
    <message>
        <source>Very large</source>
        <translation>特大</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Takes effect when Backscroll starts the next time.</source>
        <translation>下次启动 Backscroll 时生效。</translation>
    </message>
    <message>
        <source>How to answer</source>
        <translation>回答方式</translation>
    </message>
    <message>
        <source>Thorough searches several times before it answers, and takes longer.</source>
        <translation>“彻底”会多次搜索后再回答，用时更长。</translation>
    </message>
    <message>
        <source>What suits the model</source>
        <translation>由模型决定</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Thorough</source>
        <translation>彻底</translation>
    </message>
    <message>
        <source>Enter asks the question</source>
        <translation>按 Enter 提问</translation>
    </message>
    <message>
        <source>Shift+Enter starts a new line. Switched off, Ctrl+Enter asks.</source>
        <translation>Shift+Enter 换行。关闭后用 Ctrl+Enter 提问。</translation>
    </message>
    <message>
        <source>Lock after</source>
        <translation>自动锁定</translation>
    </message>
    <message>
        <source>Without a key press or a click, where the archive has a passphrase.</source>
        <translation>一段时间没有按键或点击后锁定，前提是存档设有密码短语。</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>5 minutes</source>
        <translation>5 分钟</translation>
    </message>
    <message>
        <source>15 minutes</source>
        <translation>15 分钟</translation>
    </message>
    <message>
        <source>An hour</source>
        <translation>1 小时</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>The first page; Ctrl+2 to Ctrl+8 the others</source>
        <translation>第一页；Ctrl+2 到 Ctrl+8 为其他页</translation>
    </message>
    <message>
        <source>New question</source>
        <translation>新问题</translation>
    </message>
    <message>
        <source>Search all chats</source>
        <translation>搜索所有聊天</translation>
    </message>
    <message>
        <source>Go to a chat</source>
        <translation>转到某个聊天</translation>
    </message>
    <message>
        <source>Find in the open chat</source>
        <translation>在打开的聊天中查找</translation>
    </message>
    <message>
        <source>Import files</source>
        <translation>导入文件</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Back in the open chat</source>
        <translation>在打开的聊天中返回</translation>
    </message>
    <message>
        <source>Stop the answer, or close the open chat</source>
        <translation>停止回答，或关闭打开的聊天</translation>
    </message>
    <message>
        <source>From the page to the open chat and back</source>
        <translation>在页面与打开的聊天之间切换</translation>
    </message>
    <message>
        <source>This list</source>
        <translation>此列表</translation>
    </message>
    <message>
        <source>Lock the archive, where it has a passphrase</source>
        <translation>锁定存档（设有密码短语时）</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Ask, or open the chosen result</source>
        <translation>提问，或打开选中的结果</translation>
    </message>
    <message>
        <source>New line in the question; the hit before, in find</source>
        <translation>在问题中换行；查找时转到上一处</translation>
    </message>
    <message>
        <source>In an empty field: the last question again</source>
        <translation>在空白输入框中：恢复上一个问题</translation>
    </message>
    <message>
        <source>From the search field into the results</source>
        <translation>从搜索框进入结果</translation>
    </message>
</context>
<context>
    <name>Suggestions</name>
    <message>
        <source>What did we plan for last weekend?</source>
        <translation>我们上个周末有什么计划？</translation>
    </message>
    <message>
        <source>Who recommended a book to me?</source>
        <translation>谁给我推荐过书？</translation>
    </message>
    <message>
        <source>When did I last talk about moving?</source>
        <translation>我上次谈到搬家是什么时候？</translation>
    </message>
    <message>
        <source>What would you like to find?</source>
        <translation>想找什么？</translation>
    </message>
    <message>
        <source>Ask in your own words. Every answer shows the messages it rests on.</source>
        <translation>用自己的话提问。每个回答都会显示它所依据的消息。</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>{places} from {range}</source>
        <translation>{range}，共 {places}</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>Whose idea was the oak bench for Mum&apos;s 65th birthday?</source>
        <translation>晓雯的书店是哪一天开业的？</translation>
    </message>
    <message>
        <source>wedding</source>
        <translation>书店</translation>
    </message>
    <message>
        <source>The sample archive is ready</source>
        <translation>示例存档已就绪</translation>
    </message>
    <message>
        <source>Two years of an invented life, in several chat apps. A tour of a minute shows what it is for.</source>
        <translation>一段虚构生活的两年聊天，来自多个聊天应用。一分钟的导览会介绍用途。</translation>
    </message>
    <message>
        <source>&amp;Start the tour</source>
        <translation>开始导览(&amp;S)</translation>
    </message>
    <message>
        <source>Ask in your own words</source>
        <translation>用自己的话提问</translation>
    </message>
    <message>
        <source>Press the question, or type another one. Esc stops an answer at any time.</source>
        <translation>点击这个问题，或输入别的问题。按 Esc 可随时停止回答。</translation>
    </message>
    <message>
        <source>Look at what an answer rests on</source>
        <translation>查看回答的依据</translation>
    </message>
    <message>
        <source>First comes what was found, then the answer with small numbers. Each number and each line beneath it opens the message in its chat; Alt+Left leads back.</source>
        <translation>先显示找到的内容，然后是带小编号的回答。每个编号和下方的每一行都会在聊天中打开对应消息；Alt+左 返回。</translation>
    </message>
    <message>
        <source>Open the firs&amp;t source</source>
        <translation>打开第一个来源(&amp;T)</translation>
    </message>
    <message>
        <source>Search without waiting</source>
        <translation>即时搜索</translation>
    </message>
    <message>
        <source>Search finds as you type, in all chats at once. Chips and words such as from:Petra narrow it, and dragging over the timeline chooses months.</source>
        <translation>搜索会边输入边在所有聊天中查找。标签以及 from:Petra 之类的词可缩小范围，在时间线上拖动可选择月份。</translation>
    </message>
    <message>
        <source>S&amp;how a search</source>
        <translation>演示搜索(&amp;H)</translation>
    </message>
    <message>
        <source>Now your own chats</source>
        <translation>现在导入你自己的聊天</translation>
    </message>
    <message>
        <source>The Import page says how to export from each app. The sample is erased on the Privacy page. F1 lists all keys.</source>
        <translation>导入页说明如何从各个应用导出。示例可在隐私页清除。F1 列出所有按键。</translation>
    </message>
    <message>
        <source>Import your e&amp;xports…</source>
        <translation>导入你自己的聊天(&amp;X)…</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>上一步(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>S&amp;kip the tour</source>
        <translation>跳过导览(&amp;K)</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} / {all}</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>This message was deleted</source>
        <translation>此消息已删除</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>已编辑</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>&amp;Copy message</source>
        <translation>复制消息(&amp;C)</translation>
    </message>
    <message>
        <source>Open {link}</source>
        <translation>打开 {link}</translation>
    </message>
    <message>
        <source>Open this address in your web browser?

{link}</source>
        <translation>要在浏览器中打开此网址吗？

{link}</translation>
    </message>
    <message>
        <source>Open a link</source>
        <translation>打开链接</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>Passphrase or recovery key</source>
        <translation>密码短语或恢复密钥</translation>
    </message>
    <message>
        <source>&amp;Unlock</source>
        <translation>解锁(&amp;U)</translation>
    </message>
    <message>
        <source>Try &amp;again</source>
        <translation>重试(&amp;A)</translation>
    </message>
</context>
<context>
    <name>Unfinished</name>
    <message>
        <source>An import was cut off</source>
        <translation>有一次导入中断了</translation>
    </message>
    <message>
        <source>&amp;Go on with it</source>
        <translation>继续导入(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Leave it</source>
        <translation>不再继续(&amp;L)</translation>
    </message>
    <message>
        <source>{names}. In the archive already: {files}. Nothing that was stored is lost.</source>
        <translation>{names}。已在存档中：{files}。已存储的内容没有丢失。</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>No date</source>
        <translation>没有日期</translation>
    </message>
    <message>
        <source>no date</source>
        <translation>没有日期</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>date format of Qt: 14 Mar 2024</comment>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <comment>date format of Qt: Mar 2024</comment>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>ddd d MMM yyyy</source>
        <comment>date format of Qt: Thu 14 Mar 2024</comment>
        <translation>yyyy年M月d日 ddd</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} 秒</translation>
    </message>
    <message>
        <source>{m} min {s} s</source>
        <translation>{m} 分 {s} 秒</translation>
    </message>
    <message>
        <source>{h} h {m} min</source>
        <translation>{h} 小时 {m} 分</translation>
    </message>
    <message>
        <source>{n} message</source>
        <translation>{n} 条消息</translation>
    </message>
    <message>
        <source>{n} messages</source>
        <translation>{n} 条消息</translation>
    </message>
    <message>
        <source>{n} chat</source>
        <translation>{n} 个聊天</translation>
    </message>
    <message>
        <source>{n} chats</source>
        <translation>{n} 个聊天</translation>
    </message>
    <message>
        <source>{n} place</source>
        <translation>{n} 处</translation>
    </message>
    <message>
        <source>{n} places</source>
        <translation>{n} 处</translation>
    </message>
    <message>
        <source>{n} search</source>
        <translation>{n} 次搜索</translation>
    </message>
    <message>
        <source>{n} searches</source>
        <translation>{n} 次搜索</translation>
    </message>
    <message>
        <source>{n} file</source>
        <translation>{n} 个文件</translation>
    </message>
    <message>
        <source>{n} files</source>
        <translation>{n} 个文件</translation>
    </message>
    <message>
        <source>{n} line</source>
        <translation>{n} 行</translation>
    </message>
    <message>
        <source>{n} lines</source>
        <translation>{n} 行</translation>
    </message>
    <message>
        <source>{some} of {all} chats read</source>
        <translation>已读 {all} 个聊天中的 {some} 个</translation>
    </message>
    <message>
        <source>all chats read</source>
        <translation>已读全部聊天</translation>
    </message>
    <message>
        <source>Searched for “{query}”</source>
        <translation>搜索了“{query}”</translation>
    </message>
    <message>
        <source>Kept {places}</source>
        <translation>保留了 {places}</translation>
    </message>
    <message>
        <source>Finished searching</source>
        <translation>搜索完成</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>{n} a second</source>
        <translation>每秒 {n}</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
    </message>
    <message>
        <source>Making the messages searchable</source>
        <translation>正在建立搜索索引</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
</context>
<context>
    <name>YourNames</name>
    <message>
        <source>You are</source>
        <translation>你是</translation>
    </message>
    <message>
        <source>Your name in {app}</source>
        <translation>你在 {app} 中的名字</translation>
    </message>
    <message>
        <source>None of these people</source>
        <translation>都不是</translation>
    </message>
</context>
</TS>
